import { findUnusual, maxCharacters } from './layout-cost.ts'
import { findCostlyWord, unspaced } from './word-cost.ts'

/** Maximum changes of the direction of text that are shown: the time of a browser to lay them out grows with the square of their number. */
export const maxTurns = 10_000

/** Letters and digits of scripts from right to left. */
const rightToLeft = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`

/** Characters that take the direction of those around them. */
const neutral = String.raw`(?!${rightToLeft})[\s\p{P}\p{M}\p{Cf}]`

/**
 * A bidi control; a letter or digit from right to left whose next one is of another script; such a letter before such a digit, which is
 * written from left to right. Takes linear time: the search for the next letter ends at each letter from right to left.
 */
const turn = new RegExp([
  String.raw`[\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
  String.raw`${rightToLeft}(?:${neutral})*(?!${rightToLeft}|[\s\p{P}\p{M}\p{Cf}])[^]`,
  String.raw`(?!\p{N})${rightToLeft}(?:${neutral})*(?=${rightToLeft})\p{N}`,
].join('|'), 'gu')

/** Maximum characters of text that are shown. */
export const maxTextLength = 500_000

/** @returns the beginning of a plain text that a browser shows and prints without a delay */
export const shownText = (text: string): string => cutCostly(text.slice(0, maxTextLength))

/** @returns the text before the first change of direction, or the first character, that is too much */
function cutCostly(text: string): string {
  const turned = text.slice(0, Math.min(findTurn(text, maxTurns) ?? Infinity, findRun(text) ?? Infinity, findCostlyWord(text) ?? Infinity))
  return turned.slice(0, findUnusual(turned, maxCharacters))
}

const unspacedLetters = new RegExp(`[${unspaced}]+`, 'g')

/** Maximum such letters without another one: the time of a browser grows with the square of their number. */
const maxRun = 20_000

/** @returns the index where so many letters without spaces end; undefined when the text has fewer */
export function findRun(text: string): number | undefined {
  for (const { 0: run, index } of text.matchAll(unspacedLetters)) if (run.length > maxRun) return index + maxRun
  return undefined
}

/** @returns the index of the change of direction after so many others; undefined when the text has fewer */
export function findTurn(text: string, after: number): number | undefined {
  let count = 0
  for (const { index } of text.matchAll(turn)) if (count++ === after) return index
  return undefined
}
