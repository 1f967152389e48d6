import { eachWord } from './words.ts'

/**
 * Maximum characters of a mail's text that are indexed. The index cannot tell that a longer mail lacks a word: what changes mails by an
 * excluded word leaves out mails of more bytes.
 */
export const searchedLength = 65_536

/** Maximum terms of a query: its 200 characters can fold to many more. */
const maxQueryTerms = 200
/**
 * Maximum terms of a mail. 65,536 characters of prose have fewer; random words joined by dots have 120,000, whose
 * insertion would hold the write lock for half a second.
 */
const maxMailTerms = 32_000

/**
 * Adds the terms by which a text is found: each beginning of each word; where a character that is no space joins two
 * words (`no-reply`, `shop.example`), also the first with each beginning of the second; of scripts without spaces, each
 * character and each two that follow one another. So a search looks up whole terms and nothing else (docs/decisions/0016).
 * Stops at `maxMailTerms`.
 */
export function addTerms(terms: Set<string>, text: string, { prefix = '', onlyJoined = false }: TermOptions = {}): void {
  const hasRoom = () => terms.size < maxMailTerms
  if (hasRoom()) eachWord(text, addWord, hasRoom)

  function addWord(word: string, joined: string | undefined, isUnspaced: boolean) {
    if (isUnspaced) return onlyJoined ? undefined : addPairs(terms, prefix, word)
    if (!onlyJoined) addBeginnings(terms, prefix, word)
    if (joined !== undefined) addBeginnings(terms, `${prefix}${joined}.`, word)
  }
}

interface TermOptions {
  /** Of each term. */
  prefix?: string
  /** Leaves out the terms of single words: an address is found, and the words in it are not. */
  onlyJoined?: boolean
}

/** The terms that a mail must have for some words to find it; none without a word. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>()
  eachWord(query, (word, joined, isUnspaced) => {
    if (isUnspaced) {
      for (const pair of pairsOf(word)) terms.add(pair)
    } else {
      if (joined !== undefined) terms.delete(joined) // the joined term is more specific
      terms.add(joined === undefined ? word : `${joined}.${word}`)
    }
  })
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
function addPairs(terms: Set<string>, prefix: string, word: string) {
  let before = ''
  for (const character of word) {
    terms.add(prefix + character)
    if (before !== '') terms.add(prefix + before + character)
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
