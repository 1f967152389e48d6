import { tableOf } from '../table-of.ts'

/** Values of CSS, in lower case, as far as the visibility of text depends on them. */

/** A number, or a length in px. */
export interface CssNumber { value: number, isLength: boolean }

/** @returns NaN for a value that is neither a number nor a percentage */
export const readNumber = (value: string): number => evaluate(value, numberOf)?.value ?? NaN

/** @returns a number from 0 to 1; NaN for another value */
export const readRatio = (value: string): number => Math.min(1, Math.max(0, readNumber(value)))

function numberOf(word: string): CssNumber | null {
  const value = word.endsWith('%') ? Number(word.slice(0, -1)) / 100 : word === '' ? NaN : Number(word)
  return Number.isNaN(value) ? null : { value, isLength: false }
}

/**
 * @param basePx of "%", or of a viewport where that is not known
 * @returns NaN for a value that is no length, such as a keyword
 */
export function toPx(value: string, fontPx: number, basePx = viewportPx): number {
  if (value === '0') return 0
  if (!value.includes('(')) return lengthToPx(value, fontPx, basePx)
  const evaluated = evaluate(value, (word) => {
    const px = lengthToPx(word, fontPx, basePx)
    return isNumber.test(word) ? { value: Number(word), isLength: false } : Number.isNaN(px) ? null : { value: px, isLength: true }
  })
  return evaluated?.isLength ? evaluated.value : NaN
}

function lengthToPx(value: string, fontPx: number, basePx: number): number {
  const number = parseFloat(value)
  if (Number.isNaN(number)) return NaN
  const unit = unitPattern.exec(value)?.[1]
  if (unit === undefined) return NaN
  if (unit === 'px') return number
  if (unit === '') return number === 0 ? 0 : NaN
  if (unit === '%') return number * basePx / 100
  if (unit === 'em' || unit === 'ex' || unit === 'ch') return number * (unit === 'em' ? fontPx : fontPx / 2)
  return number * (unitsPx[unit] ?? NaN)
}

const unitPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?([a-z]{0,5}|%)$/
const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/

/** The width of a page for which visibility is determined. */
const viewportPx = 800

/** The size of a box that is larger than any. */
export const hugePx = 1e6

/** The size of text without a style, and 1rem. */
export const initialFontPx = 16

const unitsPx: Partial<Record<string, number>> = tableOf({
  px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.945, rem: initialFontPx,
  ...Object.fromEntries(['', 's', 'l', 'd'].flatMap((size) => ['w', 'h', 'i', 'b', 'min', 'max'].map((side) => [`${size}v${side}`, viewportPx / 100]))),
})

/** @returns the initial size for a value that is not understood */
export function fontPxOf(value: string, parentPx: number): number {
  if (value === 'smaller' || value === 'larger') return parentPx * (value === 'smaller' ? 0.83 : 1.2)
  const px = toPx(value, parentPx, parentPx)
  return px >= 0 ? px : value.includes('(') && px < 0 ? 0 : initialFontPx
}

const [SPACE, OPENING, CLOSING] = [0x20, 0x28, 0x29] as const

/** Splits a value at characters outside of brackets. @param separators the characters */
export function splitCss(value: string, separators: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  const add = (end: number) => {
    const part = value.slice(start, end).trim()
    if (part !== '') parts.push(part)
    start = end + 1
  }
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === OPENING) depth++
    else if (code === CLOSING) depth--
    else if (depth === 0 && (code <= SPACE ? separators.includes(' ') : separators.includes(value.charAt(at)))) add(at)
  }
  add(value.length)
  return parts
}

const maxMathChars = 200
const token = /\s+([+-])\s+|\s*([*/,])\s*|([a-z-]*\()\s*|\s*(\))|((?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:[a-z]+|%)?|[a-z]+)/y

/**
 * Evaluates a value, which can be a math function such as `calc(1px - 1px)`.
 * @param valueOf of a number with its unit, or of a word; null for another one
 * @returns null for a value that is not understood
 */
export function evaluate(value: string, valueOf: (word: string) => CssNumber | null): CssNumber | null {
  if (!value.includes('(')) return valueOf(value)
  if (value.length > maxMathChars) return null
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < value.length) {
    const found = token.exec(value)
    if (!found) return null
    tokens.push(found.slice(1).find((group) => group !== undefined)!)
  }
  let at = 0
  const result = readValue()
  return at === tokens.length ? result : null

  function readValue(): CssNumber | null {
    const word = tokens[at++]
    if (word === undefined) return null
    if (!word.endsWith('(')) return valueOf(word)
    const values: CssNumber[] = []
    do {
      const sum = readOperations(['+', '-'], () => readOperations(['*', '/'], readValue))
      if (!sum) return null
      values.push(sum)
    } while (tokens[at++] === ',')
    const isLength = values[0]!.isLength
    if (tokens[at - 1] !== ')' || values.some((one) => one.isLength !== isLength)) return null
    const number = mathFunctions[word.slice(0, -1)]?.(...values.map((one) => one.value))
    return number === undefined ? null : { value: number, isLength }
  }

  function readOperations(operators: string[], readOperand: () => CssNumber | null): CssNumber | null {
    let left = readOperand()
    while (left && operators.includes(tokens[at]!)) {
      const operator = tokens[at++]!
      const right = readOperand()
      left = right && operate(left, operator, right)
    }
    return left
  }
}

function operate(left: CssNumber, operator: string, right: CssNumber): CssNumber | null {
  const isSum = operator === '+' || operator === '-'
  if (isSum ? left.isLength !== right.isLength : right.isLength && (left.isLength || operator === '/')) return null
  const [a, b] = [left.value, right.value]
  return { value: operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b, isLength: left.isLength || right.isLength }
}

const mathFunctions: Partial<Record<string, (...values: number[]) => number>> = tableOf({
  '': (a) => a, calc: (a) => a, min: Math.min, max: Math.max, abs: (a) => Math.abs(a),
  clamp: (min, value, max) => Math.max(min, Math.min(value, max)),
})
