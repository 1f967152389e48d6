import { fontPxOf, initialFontPx, toPx } from './css-values.ts'
import type { Color } from './css-values.ts'
import { onlyShowing } from './declarations.ts'
import type { Declared } from './declarations.ts'

export type Gap = 'none' | 'space' | 'line'

/** The parts of an element's style that determine whether its text is seen. */
export interface ComputedStyle {
  /** Whether it takes no place between the texts before and after it. */
  isGone: boolean
  /** Whether it shows pictures and backgrounds. Follows from the members below. */
  showsBox: boolean
  /** Whether it shows text, too. */
  showsText: boolean
  /** By `visibility`; elements in it can be visible. */
  isHidden: boolean
  /** Outside of the page, from which a positioned element can return. */
  isAway: boolean
  /** In a box without a size, which does not hide a positioned element. */
  isCut: boolean
  opacity: number
  fontPx: number
  /** Whether `text-indent` moves its first line out of the page. */
  isIndented: boolean
  /** Between it and the text around it, beside that of its name. Not that of the elements in it. */
  gap: Gap
  /** Whether the elements in it are the items of a flexible box or a grid. */
  spacesItems: boolean
  /** Whether line breaks of the source are shown. */
  keepsLines: boolean
  /** Whether the blocks in it inherit such a `text-indent`. */
  indentsBlocks: boolean
  /** Null when it is not known. */
  color: Color | null
  /** Of the inside of letters; undefined for `color`, null when it is not known. */
  fill: Color | null | undefined
  /** Behind the text; null when it is not known. */
  background: Color | null
  /** Whether it may lie over other elements. */
  overlaps: boolean
}

export const initialStyle: ComputedStyle = {
  isGone: false, showsBox: true, showsText: true, isHidden: false, isAway: false, isCut: false, opacity: 1, fontPx: initialFontPx,
  isIndented: false, gap: 'none', spacesItems: false, keepsLines: false, indentsBlocks: false, color: [0, 0, 0, 1], fill: undefined, background: [255, 255, 255, 1],
  overlaps: false,
}

/** Text of this size cannot be read. */
const maxHiddenFontPx = 1
/** A difference of two colors, in one of their parts from 0 to 255, that cannot be seen. */
const maxHiddenContrast = 8
const maxHiddenOpacity = maxHiddenContrast / 255
/** Offsets that place text outside of a page, to its left or above, and to its right. */
const [farPx, farRightPx] = [-1_000, 5_000]

/**
 * @param defaultDisplay that of the element's name
 * @returns the parent's style where nothing differs
 */
export function computeStyle(parent: ComputedStyle, given: Declared, defaultDisplay: NonNullable<Declared['display']>): ComputedStyle {
  const declared = given.isAnimated ? onlyShowing(given) : given
  const fontPx = declared['font-size'] === undefined ? parent.fontPx : readableOrNot(fontPxOf(declared['font-size'], parent.fontPx))
  const { position, transform, visibility } = declared
  const display = declared.display ?? defaultDisplay
  const isOut = position === 'absolute'
  const isBlock = display === 'block' || (display === 'inline' && (isOut || declared.isFloat === true))
  const isInline = display === 'inline' && !isBlock
  const isPlaced = (isOut || position === 'relative') && placements.some((name) => declared[name] !== undefined && declared[name] !== 'auto')
  const marginTop = px(declared['margin-top'], fontPx)
  const marginLeft = px(declared['margin-left'], fontPx)

  const isAway = (isPlaced && isFar(declared, fontPx)) || (display !== 'table' && marginLeft <= farPx) || (isOut && marginTop <= farPx)
    || (parent.isAway && !isPlaced)
  const isCut = (isBlock && declared.clipsOverflow === true && isWithoutSize(declared, fontPx)) || (parent.isCut && !isOut)
  const isClipped = (isOut && declared.clipsBox) || declared.clipsPath || (isBlock && declared.hidesContent) || (!isInline && transform === 'hides')
  const isGone = parent.isGone || display === 'none' || isClipped === true || (isOut && (isAway || isCut))
  const indent = declared['text-indent']
  const indentsBlocks = indent === undefined ? parent.indentsBlocks : px(indent, fontPx) <= farPx / 2
  const overlaps = isOut || isPlaced || declared.hasEffect === true || (transform ?? 'none') !== 'none' || marginTop < 0 || marginLeft < 0

  const style = withResults({
    isGone, isAway, isCut, fontPx, indentsBlocks, overlaps,
    isHidden: visibility === undefined ? parent.isHidden : visibility === 'hidden',
    opacity: parent.opacity * (declared.opacity ?? 1) * (declared.filterOpacity ?? 1),
    isIndented: isInline ? parent.isIndented : indentsBlocks,
    gap: declared.breaksLine ? 'line' : isOut || declared.isFloat || display !== defaultDisplay && display === 'table' ? 'space' : 'none',
    spacesItems: declared.spacesItems ?? false,
    keepsLines: declared.keepsLines ?? parent.keepsLines,
    color: declared.isPainted ? null : declared.color === undefined ? parent.color : declared.color,
    fill: declared.isPainted ? undefined : declared.fill === undefined ? parent.fill : declared.fill,
    background: declared.hasImage ? null : layered(declared.background, overlaps ? null : parent.background),
    showsBox: true, showsText: true,
  })
  return isSame(style, parent) ? parent : style
}

const placements = ['top', 'right', 'bottom', 'left'] as const

const px = (value: string | undefined, fontPx: number) => value === undefined ? NaN : toPx(value, fontPx)

/** One of two sizes: whether text can be read is all that matters of its size, and fewer styles differ. */
const readableOrNot = (fontPx: number) => fontPx > maxHiddenFontPx ? initialFontPx : 0

function isFar({ top, right, bottom, left }: Declared, fontPx: number): boolean {
  const rightPx = px(right, fontPx)
  const leftPx = px(left, fontPx)
  return px(top, fontPx) <= farPx || leftPx <= farPx || leftPx >= farRightPx || Math.abs(rightPx) >= farRightPx
    || px(bottom, fontPx) >= farRightPx
}

export const isSame = (a: ComputedStyle, b: ComputedStyle): boolean =>
  a.color === b.color && a.background === b.background && a.fontPx === b.fontPx && a.isGone === b.isGone && a.isHidden === b.isHidden
  && a.isAway === b.isAway && a.isCut === b.isCut && a.opacity === b.opacity && a.isIndented === b.isIndented
  && a.indentsBlocks === b.indentsBlocks && a.keepsLines === b.keepsLines && a.fill === b.fill && a.overlaps === b.overlaps
  && a.gap === b.gap && a.spacesItems === b.spacesItems

/** The style of the rest of an element when another element may lie over it. */
export const withoutBackground = (style: ComputedStyle): ComputedStyle => withResults({ ...style, background: null })

/** The style of the content of an element that is closed. */
export const withoutContent = (style: ComputedStyle): ComputedStyle => withResults({ ...style, isGone: true })

/** The style of the second line of an element. */
export const withoutIndent = (style: ComputedStyle): ComputedStyle => withResults({ ...style, isIndented: false })

function withResults(style: ComputedStyle): ComputedStyle {
  style.showsBox = !style.isGone && !style.isHidden && !style.isAway && !style.isCut && style.opacity > maxHiddenOpacity
  style.showsText = style.showsBox && style.fontPx > maxHiddenFontPx && !style.isIndented && isContrasting(style)
  return style
}

function isContrasting({ color, fill, background, opacity }: ComputedStyle): boolean {
  const shown = fill === undefined ? color : fill
  if (!shown) return true
  const alpha = shown[3] * opacity
  if (alpha <= maxHiddenOpacity || !background) return alpha > maxHiddenOpacity
  return Math.max(...[0, 1, 2].map((i) => Math.abs(shown[i]! - background[i]!))) * alpha > maxHiddenContrast
}

/** @param color of a background; undefined for none @param below null when it is not known */
function layered(color: Color | null | undefined, below: Color | null): Color | null {
  if (color === undefined || color?.[3] === 0) return below
  if (!color || color[3] === 1 || !below) return color?.[3] === 1 ? color : null
  const mixed = (i: number) => color[i]! * color[3] + below[i]! * (1 - color[3])
  return [mixed(0), mixed(1), mixed(2), 1]
}

function isWithoutSize(declared: Declared, fontPx: number): boolean {
  const isTiny = (value: string | undefined) => px(value, fontPx) <= 1 && !value!.endsWith('%')
  const isNone = (value: string | undefined) => value === undefined || px(value, fontPx) === 0
  const isLow = (isTiny(declared.height) || isTiny(declared['max-height'])) && !(px(declared['min-height'], fontPx) > 1)
  const isNarrow = (isTiny(declared.width) || isTiny(declared['max-width'])) && !(px(declared['min-width'], fontPx) > 1)
  return (isLow && isNone(declared['padding-top']) && isNone(declared['padding-bottom']))
    || (isNarrow && isNone(declared['padding-left']) && isNone(declared['padding-right']))
}
