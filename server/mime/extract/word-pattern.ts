/**
 * Letters, with their marks, of the scripts in use, as ranges of a character class. `\p{L}` has 700 ranges, and V8 makes machine code for
 * them at each place of an expression: a third of 23 MB, more than a processor keeps in its caches. Each letter is one character here and
 * no escape, since V8 does not optimize an expression of more than 20 kB.
 */
const letters = [
  'A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u0386\u0388-\u0559\u0560-\u0588\u0591-\u05bd\u05bf-\u05f2\u0610-\u061a\u0620-\u0669',
  '\u066e-\u06d3\u06d5-\u0963\u0966-\u09f1\u09f4-\u0e3e\u0e40-\u0e4e\u0e50-\u0f00\u0f18-\u1049\u104c-\u10fa\u10fc-\u1360\u1369-\u166c\u166f-\u17d3',
  '\u17d7-\u1fff\u2c00-\u2dff\u3005-\u3007\u3021-\u302f\u3031-\u3035\u303b-\u30fa\u30fc-\ud7ff\uf900-\ufd3d\ufd50-\ufdfb\ufe70-\ufefc',
  '\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc',
].join('')

/** Numbers, of which texts have the digits of other scripts as those of ASCII. */
const numbers = '0-9\xb2\xb3\xb9\xbc-\xbe\u2070-\u2089\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793'

const classOrLetter = /\[(?:[^\\\]]|\\.)*\]|\\([pP])\{L\}/gsu

/** An expression for words in which `\p{L}` and `\P{L}` stand for `letters`, and the others, and `\p{N}` in a class for `numbers`. */
export const wordPattern = (source: string, flags: string): RegExp => new RegExp(source.replace(classOrLetter, (part, kind?: string) =>
  kind ? `[${kind === 'P' ? '^' : ''}${letters}]`
  : part.replace(/\\p\{L\}(?:\\p\{M\})?/g, letters).replaceAll(String.raw`\p{N}`, numbers)), flags)
