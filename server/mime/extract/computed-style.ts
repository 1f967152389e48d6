import { currentColor } from './css-colors.ts'
import type { Color } from './css-colors.ts'
import { fontPxOf, initialFontPx, readNumber, toPx } from './css-values.ts'
import type { Variables } from './css-variables.ts'
import { maxHiddenScale, onlyShowing } from './declarations.ts'
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
  /** The product of `zoom`. */
  zoom: number
  /** Whether `letter-spacing` moves its letters out of the page. */
  isScattered: boolean
  /** Whether its lines have no height. */
  isFlat: boolean
  /** Whether they are in a box that is as high as they are, and cuts their letters. */
  cutsLines: boolean
  /** Positions refer to the page, or to an element around it: for absolute ones, or for fixed ones, too. */
  origin: 'page' | 'absolute' | 'fixed'
  variables: Variables
  /** Height that is left of a box that cuts what is below; infinite without one. */
  roomPx: number
  /** The largest of the margins by which it is lower than the box; those of nested elements collapse. */
  marginPx: number
  /** Height that it takes in such a box. Not that of the elements in it. */
  takesPx: number
}

export const initialStyle: ComputedStyle = {
  isGone: false, showsBox: true, showsText: true, isHidden: false, isAway: false, isCut: false, opacity: 1, fontPx: initialFontPx,
  isIndented: false, gap: 'none', spacesItems: false, keepsLines: false, indentsBlocks: false, color: [0, 0, 0, 1], fill: undefined, background: [255, 255, 255, 1],
  overlaps: false, zoom: 1, isScattered: false, isFlat: false, cutsLines: false, origin: 'page', variables: new Map(), roomPx: Infinity, marginPx: 0,
  takesPx: 0,
}

/** Text of this size cannot be read. */
const maxHiddenFontPx = 1
/** A difference of two colors, in one of their parts from 0 to 255, that cannot be seen. */
const maxHiddenContrast = 8
const maxHiddenOpacity = maxHiddenContrast / 255
/** Offsets that place text outside of a page, to its left or above, and to its right. */
const [farPx, farRightPx] = [-1_000, 5_000]
/** Those from the top and the left of the page: few lines are that high or long, in px. */
const [abovePagePx, leftOfPagePx] = [-200, -500]
const maxScatteringPx = -50

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

  const isFixed = isOut && declared.isFixed === true
  const isOfPage = isFixed ? parent.origin !== 'fixed' : isOut && parent.origin === 'page'

  const isAway = (isPlaced && (isFar(declared, fontPx) || (isOfPage && isOutside(declared, fontPx, isFixed)))) || (display !== 'table' && isBefore(declared['margin-left'], fontPx, farPx))
    || (isOut && isBefore(declared['margin-top'], fontPx, farPx))
    || (parent.isAway && !isPlaced)
  const { roomPx, marginPx } = roomOf(parent, declared, fontPx, isOut || isPlaced || (transform ?? 'none') !== 'none' || marginTop < 0, marginTop)
  const ownRoomPx = isBlock && declared.clipsOverflow === true && !declared.scrolls && !declared.spacesItems ? heightOf(declared, fontPx) : Infinity
  const isCut = (isBlock && declared.clipsOverflow === true && isWithoutSize(declared, fontPx)) || (parent.isCut && !isOut)
  const isClipped = (isOut && declared.clipsBox) || declared.clipsPath || (isBlock && declared.hidesContent) || (!isInline && transform === 'hides')
  const isGone = parent.isGone || display === 'none' || isClipped === true || (isOut && (isAway || isCut))
  const indent = declared['text-indent']
  const indentsBlocks = indent === undefined ? parent.indentsBlocks : px(indent, fontPx) <= farPx / 2
  const hasFrame = declared.hasEffect === true || (transform ?? 'none') !== 'none'
  const overlaps = isOut || isPlaced || hasFrame || marginTop < 0 || marginLeft < 0
  const color = declared.isPainted ? null : declared.color === undefined ? parent.color : declared.color
  const isFlat = declared['line-height'] === undefined ? parent.isFlat : isFlatLine(declared['line-height'], fontPx)
  const isLow = isFlat && !(marginTop > 0) && heights.every((name) => !(px(declared[name], fontPx) > 0))

  const style = withResults({
    isGone, isAway, isCut, fontPx, indentsBlocks, overlaps,
    isHidden: visibility === undefined ? parent.isHidden : visibility === 'hidden',
    opacity: parent.opacity * (declared.opacity ?? 1) * (declared.filterOpacity ?? 1),
    isIndented: isInline ? parent.isIndented : indentsBlocks,
    gap: declared.breaksLine ? 'line' : isOut || declared.isFloat || display !== defaultDisplay && display === 'table' ? 'space' : 'none',
    spacesItems: declared.spacesItems ?? false,
    keepsLines: declared.keepsLines ?? parent.keepsLines,
    color,
    fill: declared.isPainted ? undefined : declared.fill === undefined ? parent.fill : declared.fill,
    background: declared.hasImage || declared.imageColor === null || (declared.imageColor && declared.placesImage) ? null
      : layered(declared.imageColor, layered(declared.background === currentColor ? color : declared.background, overlaps ? null : parent.background)),
    zoom: declared.zoom && declared.zoom > 0 ? parent.zoom * declared.zoom : parent.zoom,
    isScattered: declared['letter-spacing'] === undefined ? parent.isScattered : px(declared['letter-spacing'], fontPx) <= maxScatteringPx,
    isFlat, roomPx: Math.min(roomPx, ownRoomPx), marginPx: ownRoomPx < Infinity ? 0 : marginPx,
    takesPx: roomPx < Infinity && display === 'block' && declared.breaksLine !== false && !declared.isFloat && !(px(declared['margin-bottom'], fontPx) < 0) ? heightOf(declared, fontPx, 0) : 0,
    variables: declared.variables ?? parent.variables,
    cutsLines: isLow && ((isBlock && declared.clipsOverflow === true) || (parent.cutsLines && !isOut)),
    origin: hasFrame ? 'fixed' : (isOut || position === 'relative') && parent.origin === 'page' ? 'absolute' : parent.origin,
    showsBox: true, showsText: true,
  })
  return isSame(style, parent) ? parent : style
}

const placements = ['top', 'right', 'bottom', 'left'] as const
const heights = ['height', 'min-height', 'padding-top', 'padding-bottom'] as const

const isFlatLine = (value: string, fontPx: number) => (readNumber(value) * fontPx || px(value, fontPx)) <= 1

const px = (value: string | undefined, fontPx: number) => value === undefined ? NaN : toPx(value, fontPx)

/** One of two sizes: whether text can be read is all that matters of its size, and fewer styles differ. */
const readableOrNot = (fontPx: number) => fontPx > maxHiddenFontPx ? initialFontPx : 0

/** The height that is left for an element in a box that cuts what is below. @param isMoved whether the element can be elsewhere */
function roomOf(parent: ComputedStyle, declared: Declared, fontPx: number, isMoved: boolean, marginTop: number): Pick<ComputedStyle, 'roomPx' | 'marginPx'> {
  if (parent.roomPx === Infinity || isMoved || declared.isFloat || declared.spacesItems) return { roomPx: Infinity, marginPx: 0 }
  const marginPx = Math.max(parent.marginPx, marginTop || 0)
  return { roomPx: parent.roomPx - (marginPx - parent.marginPx) - (px(declared['padding-top'], fontPx) || 0), marginPx }
}

/** Height of a box below its upper padding. @param unknownPx for one that depends on its content or on the page */
function heightOf(declared: Declared, fontPx: number, unknownPx = Infinity): number {
  const isKnown = (value: string | undefined) => value !== undefined && !isOfPage(value) && px(value, fontPx) >= 0
  const given = [declared.height, declared['max-height']].filter(isKnown).map((value) => px(value, fontPx))
  if (given.length === 0 || (unknownPx === 0 && !isKnown(declared.height))) return unknownPx
  const padding = (name: 'padding-top' | 'padding-bottom') => declared[name] === undefined ? 0 : px(declared[name], fontPx)
  const height = Math.max(Math.min(...given), px(declared['min-height'], fontPx) || 0)
  return (declared.isBorderBox ? Math.max(0, height - padding('padding-top')) : height + padding('padding-bottom')) || unknownPx
}

const isOfPage = (value: string) => value.includes('%') || (value.includes('(') && value.includes('v'))

/** Whether a position is before a limit, however large the page is: `calc(50% - 1000px)` centers. */
function isBefore(value: string | undefined, fontPx: number, limitPx: number): boolean {
  return px(value, fontPx) <= limitPx && (!value!.includes('(') || toPx(value!, fontPx, hugePx) <= limitPx)
}

function isFar({ top, right, bottom, left }: Declared, fontPx: number): boolean {
  return isBefore(top, fontPx, farPx) || isBefore(left, fontPx, farPx) || px(left, fontPx) >= farRightPx || Math.abs(px(right, fontPx)) >= farRightPx
    || px(bottom, fontPx) >= farRightPx
}

/** Whether a position of the page is outside of it: those in percent are multiples of its size. */
function isOutside({ top, right, bottom, left }: Declared, fontPx: number, isFixed: boolean): boolean {
  const isPast = (value: string | undefined) => value !== undefined && toPx(value, fontPx, hugePx) >= hugePx
  return isBefore(top, fontPx, abovePagePx) || isBefore(left, fontPx, leftOfPagePx) || isPast(right) || isPast(bottom) || (isFixed && (isPast(left) || isPast(top)))
}

const hugePx = 1e6

export const isSame = (a: ComputedStyle, b: ComputedStyle): boolean =>
  a.color === b.color && a.background === b.background && a.fontPx === b.fontPx && a.isGone === b.isGone && a.isHidden === b.isHidden
  && a.isAway === b.isAway && a.isCut === b.isCut && a.opacity === b.opacity && a.isIndented === b.isIndented
  && a.indentsBlocks === b.indentsBlocks && a.keepsLines === b.keepsLines && a.fill === b.fill && a.overlaps === b.overlaps
  && a.gap === b.gap && a.spacesItems === b.spacesItems && a.zoom === b.zoom && a.isScattered === b.isScattered && a.isFlat === b.isFlat
  && a.cutsLines === b.cutsLines && a.origin === b.origin && a.variables === b.variables && a.roomPx === b.roomPx
  && a.marginPx === b.marginPx && a.takesPx === b.takesPx

/** The style of the rest of an element when another element may lie over it. */
export const withoutBackground = (style: ComputedStyle): ComputedStyle => withResults({ ...style, background: null })

/** The style of the content of an element that is closed. */
export const withoutContent = (style: ComputedStyle): ComputedStyle => withResults({ ...style, isGone: true })

/** The style of the rest of an element after one in it that has a height. */
export const below = (style: ComputedStyle, heightPx: number): ComputedStyle => withResults({ ...style, roomPx: style.roomPx - heightPx })

/** The style of an element with margins, which give a box a height. */
export const withMargins = (style: ComputedStyle): ComputedStyle => withResults({ ...style, cutsLines: false })

/** The style of the second line of an element. */
export const withoutIndent = (style: ComputedStyle): ComputedStyle => withResults({ ...style, isIndented: false })

function withResults(style: ComputedStyle): ComputedStyle {
  style.showsBox = !style.isGone && !style.isHidden && !style.isAway && !style.isCut && style.roomPx > 0 && style.opacity > maxHiddenOpacity
  style.showsText = style.showsBox && style.fontPx > maxHiddenFontPx && style.zoom > maxHiddenScale && !style.isIndented && !style.isScattered
    && !style.cutsLines && isContrasting(style)
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
  const isTiny = (value: string | undefined) => px(value, fontPx) <= 1 && !isOfPage(value!)
  const isNone = (value: string | undefined) => value === undefined || px(value, fontPx) === 0
  const isWithin = (value: string | undefined, padding: string | undefined) => isTiny(value) || (declared.isBorderBox === true && px(value, fontPx) <= px(padding, fontPx))
  const isLow = (isWithin(declared.height, declared['padding-top']) || isWithin(declared['max-height'], declared['padding-top']))
    && !(px(declared['min-height'], fontPx) > 1)
  const isNarrow = (isTiny(declared.width) || isTiny(declared['max-width'])) && !(px(declared['min-width'], fontPx) > 1)
  return (isLow && isNone(declared['padding-bottom'])) || (isNarrow && isNone(declared['padding-right']))
}
