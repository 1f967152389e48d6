import { foldText } from './fold-text.ts'

/** Maximum characters of a mail's text that are indexed. */
export const searchedLength = 65_536

/** Maximum characters of a text after `foldText`, which can make eighteen of one. */
const maxFoldedLength = 2 * searchedLength
/** Maximum characters of a word; a longer word counts as several. */
const maxWordLength = 24
/** Maximum terms of a query: its 200 characters can fold to many more. */
const maxQueryTerms = 200
/**
 * Maximum terms of a mail. 65,536 characters of prose have fewer; random words joined by dots have 120,000, whose
 * insertion would hold the write lock for half a second.
 */
const maxMailTerms = 32_000

interface Word {
  text: string
  /** The word before, when one character other than a space joins the two. */
  joined: string | undefined
  /** Of a script without spaces between words. */
  isUnspaced: boolean
}

/**
 * Adds the terms by which a text is found: each beginning of each word; where a character that is no space joins two
 * words (`no-reply`, `shop.example`), also the first with each beginning of the second; of scripts without spaces, each
 * character and each two that follow one another. So a search looks up whole terms and nothing else.
 * Stops at `maxMailTerms`.
 */
export function addTerms(terms: Set<string>, text: string): void {
  if (terms.size >= maxMailTerms) return
  for (const word of wordsOf(text)) {
    if (terms.size >= maxMailTerms) return
    if (word.isUnspaced) {
      addPairs(terms, word.text)
    } else {
      addBeginnings(terms, '', word.text)
      if (word.joined !== undefined) addBeginnings(terms, `${word.joined}.`, word.text)
    }
  }
}

/** The terms that a mail must have for a query to find it; none when the query has no word. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>()
  for (const word of wordsOf(query)) {
    if (word.isUnspaced) {
      for (const pair of pairsOf(word.text)) terms.add(pair)
    } else {
      if (word.joined !== undefined) terms.delete(word.joined) // the joined term is more specific
      terms.add(word.joined === undefined ? word.text : `${word.joined}.${word.text}`)
    }
  }
  return [...terms].slice(0, maxQueryTerms)
}

/** Longest first: when a beginning is in the set, so are all shorter ones. */
function addBeginnings(terms: Set<string>, before: string, word: string) {
  for (let length = word.length; length > 0; length--) {
    const term = before + word.slice(0, length)
    if (terms.has(term)) return
    terms.add(term)
  }
}

/** Adds each character, and each pair of neighbours. */
function addPairs(terms: Set<string>, word: string) {
  let before = ''
  for (const character of word) {
    terms.add(character)
    if (before !== '') terms.add(before + character)
    if (terms.size >= maxMailTerms) return
    before = character
  }
}

/** Each two characters that follow one another, or the only one. */
function pairsOf(word: string): string[] {
  const characters = [...word]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Hangul}` +
  String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const anyRun = new RegExp(String.raw`([${unspaced}]+)|(?:(?![${unspaced}])[\p{L}\p{N}\p{M}])+`, 'gu')
const asciiRun = /[a-z0-9]+/g
const beyondAscii = /[^\0-\x7f]/
const space = /\s/

function* wordsOf(text: string): Generator<Word> {
  const folded = foldText(text).slice(0, maxFoldedLength)
  const run = beyondAscii.test(folded) ? anyRun : asciiRun
  let before: string | undefined
  let end = -1
  for (const found of folded.matchAll(run)) {
    const isUnspaced = found[1] !== undefined
    const isJoined = before !== undefined && found.index === end + 1 && !space.test(folded[end]!)
    const pieces = isUnspaced ? [found[0]] : piecesOf(found[0])
    for (const [i, piece] of pieces.entries()) yield { text: piece, joined: i === 0 && isJoined ? before : undefined, isUnspaced }
    before = isUnspaced ? undefined : pieces.at(-1)
    end = found.index + found[0].length
  }
}

function piecesOf(word: string): string[] {
  if (word.length <= maxWordLength) return [word]
  const characters = [...word]
  const starts = Array.from({ length: Math.ceil(characters.length / maxWordLength) }, (_, i) => i * maxWordLength)
  return starts.map((start) => characters.slice(start, start + maxWordLength).join(''))
}
