import { hugePx, readNumber, toPx } from './css-values.ts'
import type { Declared } from './declarations.ts'

/** Where the box of an element is, and how much of it is seen, as far as declared lengths tell. */

/** Offsets that place text outside of a page, to its left or above, and to its right. */
export const [farPx, farRightPx] = [-1_000, 5_000]
/** Those from the top and the left of the page: few lines are that high or long. */
const [abovePagePx, leftOfPagePx] = [-200, -500]

export const px = (value: string | undefined, fontPx: number): number => value === undefined ? NaN : toPx(value, fontPx)

/** Whether a position is before a limit, however large the page is: `calc(50% - 1000px)` centers. */
export function isBefore(value: string | undefined, fontPx: number, limitPx: number): boolean {
  return px(value, fontPx) <= limitPx && (!value!.includes('(') || toPx(value!, fontPx, hugePx) <= limitPx)
}

export function isFar({ top, right, bottom, left }: Declared, fontPx: number): boolean {
  return isBefore(top, fontPx, farPx) || isBefore(left, fontPx, farPx) || px(left, fontPx) >= farRightPx
    || Math.abs(px(right, fontPx)) >= farRightPx || px(bottom, fontPx) >= farRightPx
}

/** Whether a position in the page is outside of it: those in percent are multiples of its size. */
export function isOutside({ top, right, bottom, left, isFixed }: Declared, fontPx: number): boolean {
  const isPast = (value: string | undefined) => value !== undefined && toPx(value, fontPx, hugePx) >= hugePx
  return isBefore(top, fontPx, abovePagePx) || isBefore(left, fontPx, leftOfPagePx) || isPast(right) || isPast(bottom)
    || (isFixed === true && (isPast(left) || isPast(top)))
}

/** Whether a length depends on the size of the page or of a box. */
const isRelative = (value: string) => value.includes('%') || (value.includes('(') && value.includes('v'))

export function isWithoutSize(declared: Declared, fontPx: number): boolean {
  const isTiny = (value: string | undefined) => px(value, fontPx) <= 1 && !isRelative(value!)
  const isNone = (value: string | undefined) => value === undefined || px(value, fontPx) === 0
  const paddingPx = declared.isBorderBox ? px(declared['padding-top'], fontPx) : NaN
  const isLow = [declared.height, declared['max-height']].some((value) => isTiny(value) || px(value, fontPx) <= paddingPx)
    && !(px(declared['min-height'], fontPx) > 1)
  const isNarrow = (isTiny(declared.width) || isTiny(declared['max-width'])) && !(px(declared['min-width'], fontPx) > 1)
  return (isLow && isNone(declared['padding-bottom'])) || (isNarrow && isNone(declared['padding-right']))
}

const heights = ['margin-top', 'height', 'min-height', 'padding-top', 'padding-bottom'] as const

export const hasHeight = (declared: Declared, fontPx: number): boolean => heights.some((name) => px(declared[name], fontPx) > 0)

/** Whether lines have no height. */
export const isFlatLine = (lineHeight: string, fontPx: number): boolean =>
  (readNumber(lineHeight) * fontPx || px(lineHeight, fontPx)) <= 1

/** The height that is left for an element in a box of a limited height, whose overflow is hidden. */
export interface Room {
  /** Infinite without such a box. */
  roomPx: number
  /** The largest of the margins by which the element is lower: those of nested elements collapse. */
  marginPx: number
}

/** @param parent of the element around it @param isMoved whether the element can be elsewhere */
export function roomOf(parent: Room, declared: Declared, fontPx: number, isMoved: boolean): Room {
  if (parent.roomPx === Infinity || isMoved || declared.isFloat || declared.spacesItems) return { roomPx: Infinity, marginPx: 0 }
  const marginPx = Math.max(parent.marginPx, px(declared['margin-top'], fontPx) || 0)
  return { roomPx: parent.roomPx - (marginPx - parent.marginPx) - (px(declared['padding-top'], fontPx) || 0), marginPx }
}

/** The height inside of an element, when it hides its overflow; else infinite. */
export function ownRoomOf(declared: Declared, fontPx: number): number {
  if (!declared.clipsOverflow || declared.scrolls || declared.spacesItems) return Infinity
  return heightOf(declared, [declared.height, declared['max-height']], fontPx) ?? Infinity
}

/** Height that a block takes among those around it. */
export function takenHeightOf(declared: Declared, fontPx: number): number {
  if (declared.breaksLine === false || declared.isFloat || px(declared['margin-bottom'], fontPx) < 0) return 0
  return declared.height === undefined || declared['max-height'] !== undefined ? 0 : heightOf(declared, [declared.height], fontPx) ?? 0
}

/** @returns the height below the upper padding; undefined when it depends on the content or on the page */
function heightOf(declared: Declared, limits: (string | undefined)[], fontPx: number): number | undefined {
  const known = limits.map((value) => value === undefined || isRelative(value) ? NaN : px(value, fontPx)).filter((value) => value > 0)
  if (known.length === 0) return undefined
  const padding = (name: 'padding-top' | 'padding-bottom') => declared[name] === undefined ? 0 : px(declared[name], fontPx)
  const height = Math.max(Math.min(...known), px(declared['min-height'], fontPx) || 0)
  const below = declared.isBorderBox ? height - padding('padding-top') : height + padding('padding-bottom')
  return below > 0 ? below : undefined
}
