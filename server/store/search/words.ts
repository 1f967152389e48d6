/** Maximum characters of a text after `foldText`, which can make eighteen of one. */
const maxFoldedLength = 131_072
/** Maximum characters of a word; a longer word counts as several. */
const maxWordLength = 24

/** @param joined the word before, when one character other than a space joins the two */
export type UseWord = (word: string, joined: string | undefined, isUnspaced: boolean) => void

/** Calls `use` with each word of a text, as long as `goOn`. A word of a script without spaces ends where another script begins. */
export function eachWord(text: string, use: UseWord, goOn: () => boolean = () => true): void {
  const folded = foldText(text).slice(0, maxFoldedLength)
  let before: string | undefined
  let end = -1
  for (let start = nextWord(folded, 0); start < folded.length && goOn(); start = nextWord(folded, end)) {
    const kind = kindAt(folded, start)
    const isJoined = before !== undefined && start === end + 1 && kindAt(folded, end) !== space
    end = endOfRun(folded, start, kind)
    const word = folded.slice(start, end)
    if (kind === unspaced) {
      use(word, undefined, true)
      before = undefined
    } else {
      const pieces = piecesOf(word)
      for (const [i, piece] of pieces.entries()) if (goOn()) use(piece, i === 0 && isJoined ? before : undefined, false)
      before = pieces.at(-1)
    }
  }
}

/** Whether the words of a phrase follow one another in a text; the last one may be the beginning of a longer word. */
export function hasPhrase(text: string, phrase: string): boolean {
  const wanted = spaced(phrase)
  const isUnspaced = wanted.length > 1 && kindAt(wanted, 1) === unspaced // begins anywhere
  return spaced(text).includes(isUnspaced ? wanted.slice(1) : wanted)
}

/** The words of a text, each after a space. */
function spaced(text: string): string {
  const words: string[] = []
  eachWord(text, (word) => { words.push(word) })
  return ` ${words.join(' ')}`
}

function nextWord(text: string, from: number): number {
  let at = from
  while (at < text.length && kindAt(text, at) <= space) at++
  return at
}

function endOfRun(text: string, start: number, kind: number): number {
  let end = start
  while (end < text.length && kindAt(text, end) === kind) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return end
}

function piecesOf(word: string): string[] {
  if (word.length <= maxWordLength) return [word]
  const characters = [...word]
  const starts = Array.from({ length: Math.ceil(characters.length / maxWordLength) }, (_, i) => i * maxWordLength)
  return starts.map((start) => characters.slice(start, start + maxWordLength).join(''))
}

/** Kinds of characters. Those up to `space` belong to no word. */
const [separator, space, letter, unspaced] = [1, 2, 3, 4]
/** The kinds of the characters up to U+FFFF that have been met, else 0: regular expressions take a hundred times as long. */
const kinds = new Uint8Array(0x10000)

const unspacedScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const letters = /[\p{L}\p{N}\p{M}]/u

function kindAt(text: string, at: number): number {
  const code = text.codePointAt(at)!
  return code > 0xffff ? kindOf(code) : kinds[code] ||= kindOf(code)
}

function kindOf(code: number): number {
  const character = String.fromCodePoint(code)
  if (unspacedScripts.test(character)) return unspaced
  if (letters.test(character)) return letter
  return /\s/.test(character) ? space : separator
}

const beyondAscii = /[^\0-\x7f]/
/**
 * Combining marks that are kept of a run, as in the Stream-Safe Text Format (UAX #15, section 13). Normalization sorts
 * each run by combining class, which takes time quadratic in its length.
 */
const maxMarks = 30
/** Everything that NFKD decomposes to combining marks: also the halfwidth voiced sound marks, which are letters. */
const marks = String.raw`[\p{M}\uff9e\uff9f]`
const longRun = new RegExp(`(?<=${marks}{${maxMarks}})${marks}+`, 'gu')
const accents = /[\u0300-\u036f]/g

/**
 * Removes differences of case, width, ligatures and accents; и and й become equal, as do ε and έ. Takes time linear in the
 * length of the text. One character can become eighteen.
 */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return text.replace(longRun, '').normalize('NFKD').replace(accents, '').toUpperCase().toLowerCase()
    .replaceAll('ς', 'σ').replace(accents, '').normalize('NFC')
}
