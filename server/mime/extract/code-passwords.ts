import type { Candidate } from './code-boxes.ts'
import { doorWord } from './code-words.ts'

/** Passwords with symbols, which are codes as a whole or not at all. */

/** Maximum passwords of a mail that are rated. */
const maxPasswords = 100

/**
 * A word with a symbol between white space, quotation marks or letters of scripts without spaces, and the label that is joined to it:
 * "Password:Tz8&rQ3w".
 */
const wordWithSymbol = /(?<![!-~\p{Script=Latin}])(?=[A-Za-z\d]{0,40}[!-/:-@[-`{-~])([A-Za-z-]{2,20}:(?!\/\/))?([!-~]{6,48})(?![!-~\p{Script=Latin}])/gu

/** Symbols that punctuation, dates, paths and compounds of words lack. */
const symbol = /[!#-&*+<-@[-`{-~()]/
const addressOrPath = /:\/\/|www\.|[\w.]@[\w-]+\.[a-z]|^[/~]\/|[a-z]-[a-z]|0-9|^\(?\d{1,2}\+[a-z]/i

/** Finds words of letters, digits and symbols. Each is a password only directly after a label. */
export function passwordsIn(source: string): Candidate[] {
  const found: Candidate[] = []
  wordWithSymbol.lastIndex = 0
  for (let match = wordWithSymbol.exec(source); match && found.length < maxPasswords; match = wordWithSymbol.exec(source)) {
    const [whole, label = '', word = ''] = match
    const [from, to] = withoutPunctuation(word)
    const code = word.slice(from, to)
    if (code.length < 6 || !/\d/.test(code) || !/[A-Za-z]/.test(code) || !symbol.test(code) || addressOrPath.test(whole)) continue
    const start = match.index + label.length + from
    found.push({ code, start, end: start + code.length, kind: 'password', needsLabel: true })
  }
  return found
}

const closers = new Map(['""', "''", '``', '**', '__', '()', '[]', '<>'].map(([opener, closer]) => [opener!, closer!]))

/** Returns where a word begins and ends without the mark that ends its sentence, and without quotation marks, brackets and emphasis. */
function withoutPunctuation(word: string): [from: number, to: number] {
  let [from, to] = [0, word.length - (/(?:\.{3}|[.,;:]|(?<=^[A-Z\d-]{1,40})!)$/.exec(word)?.[0].length ?? 0)]
  const count = (char: string) => word.split(char).length - 1
  const isUnopened = (closer: string, opener: string) => word.endsWith(closer, to) && count(closer) > count(opener)
  if (isUnopened(')', '(') || isUnopened(']', '[')) to-- // "(password: Tz8&rQ3w)"
  while (to - from > 2 && closers.get(word[from]!) === word[to - 1]) [from, to] = [from + 1, to - 1]
  return [from, to]
}

/** Whether a candidate is a part of a password with symbols, or the PIN of a telephone conference, which ends with `#`. */
export function isPartOfPassword(source: string, { start, end, kind }: Candidate): boolean {
  const before = source.slice(Math.max(0, start - 2), start)
  const after = source.slice(end, end + 2)
  if (/^#(?!\w)/.test(after)) return !doorWord.test(source.slice(Math.max(0, start - 60), start).toLowerCase())
  if (/^[!@$%^&*]\w/.test(after) || /\w[!@$%^&*]$/.test(before)) return true
  return kind !== 'digits' && (/^[?<>~+]\w/.test(after) || /\w[?<>~+]$/.test(before))
}
