/** Characters between words, and those of Chinese, Japanese and Korean, at each of which a line can end. */
const separators = String.raw`\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef`

/** Scripts without spaces between words, which browsers look up in a dictionary: Thai, Lao, Burmese, Khmer, Tai. */
export const unspaced = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf`

/** Letters that can join those beside them, as those of Arabic, Devanagari and Mongolian: not Latin, nor Tibetan. */
const joined = new RegExp(String.raw`[^\0-\u024f\u0f00-\u0fff${separators}${unspaced}]+`, 'g')

const word = new RegExp(`[^${separators}]+`, 'g')

/** Kerned letters, as those of Latin, take about this part of the time of joined ones. */
const costOfKerned = 0.1

/**
 * Maximum sum of the squares of the lengths of words, as joined letters: a browser shapes the rest of a word again for each line that it is
 * broken into, since its letters depend on each other.
 */
export const maxWordCost = 5_000_000

/** @param text of one node: letters of others are shaped apart */
export function costOfWords(text: string): number {
  let cost = 0
  for (const [{ length }] of text.matchAll(joined)) cost += length ** 2
  for (const [{ length }] of text.matchAll(word)) cost += costOfKerned * length ** 2
  return cost
}

/** @returns the index in a text without kerning where joined letters cost too much; undefined when they do not */
export function findCostlyWord(text: string): number | undefined {
  let rest = maxWordCost
  for (const { 0: { length }, index } of text.matchAll(joined)) {
    if (length ** 2 > rest) return index + Math.floor(Math.sqrt(rest))
    rest -= length ** 2
  }
  return undefined
}
