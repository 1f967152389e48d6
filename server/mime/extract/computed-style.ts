import { farPx, hasHeight, isBefore, isFar, isFlatLine, isOutside, isWithoutSize, ownRoomOf, px, roomOf, takenHeightOf } from './boxes.ts'
import type { Room } from './boxes.ts'
import { currentColor } from './css-colors.ts'
import type { Color } from './css-colors.ts'
import { fontPxOf, initialFontPx } from './css-values.ts'
import type { Variables } from './css-variables.ts'
import { onlyShowing } from './declarations.ts'
import type { Declared } from './declarations.ts'
import { maxHiddenScale } from './shapes.ts'

export type Gap = 'none' | 'space' | 'line'

/** The parts of an element's style that determine whether its text is seen. */
export interface ComputedStyle extends Room {
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
  /** Of shadows and outlines of its letters; null without any. */
  paint: Color | null
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
  /** Height that it takes in a box of a limited height. Not that of the elements in it. */
  takesPx: number
}

export const initialStyle: ComputedStyle = {
  isGone: false, showsBox: true, showsText: true, isHidden: false, isAway: false, isCut: false, opacity: 1, fontPx: initialFontPx, zoom: 1,
  isIndented: false, isScattered: false, isFlat: false, cutsLines: false, gap: 'none', spacesItems: false, keepsLines: false,
  indentsBlocks: false, color: [0, 0, 0, 1], fill: undefined, paint: null, background: [255, 255, 255, 1], overlaps: false, origin: 'page',
  roomPx: Infinity, marginPx: 0, takesPx: 0, variables: new Map(),
}

/** Text of this size cannot be read. */
const maxHiddenFontPx = 1
/** A difference of two colors, in one of their parts from 0 to 255, that cannot be seen. */
const maxHiddenContrast = 8
const maxHiddenOpacity = maxHiddenContrast / 255
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

  const isOfPage = declared.isFixed ? parent.origin !== 'fixed' : parent.origin === 'page'
  const hasFrame = declared.hasEffect === true || (transform ?? 'none') !== 'none'
  const cutsOverflow = isBlock && declared.clipsOverflow === true
  const room = roomOf(parent, declared, fontPx, isOut || isPlaced || hasFrame || marginTop < 0)
  const ownRoomPx = isBlock ? ownRoomOf(declared, fontPx) : Infinity

  const isAway = (isPlaced && (isFar(declared, fontPx) || (isOut && isOfPage && isOutside(declared, fontPx))))
    || (display !== 'table' && isBefore(declared['margin-left'], fontPx, farPx))
    || (isOut && isBefore(declared['margin-top'], fontPx, farPx)) || (parent.isAway && !isPlaced)
  const isCut = (cutsOverflow && isWithoutSize(declared, fontPx)) || (parent.isCut && !isOut)
  const isClipped = (isOut && declared.clipsBox) || declared.clipsPath || (isBlock && declared.hidesContent) || (!isInline && transform === 'hides')
  const isGone = parent.isGone || display === 'none' || isClipped === true || (isOut && (isAway || isCut))
  const indent = declared['text-indent']
  const indentsBlocks = indent === undefined ? parent.indentsBlocks : px(indent, fontPx) <= farPx / 2
  const overlaps = isOut || isPlaced || hasFrame || marginTop < 0 || marginLeft < 0
  const color = declared.isPainted ? null : declared.color === undefined ? parent.color : declared.color
  const isFlat = declared['line-height'] === undefined ? parent.isFlat : isFlatLine(declared['line-height'], fontPx)
  const isPicture = declared.hasImage || declared.imageColor === null || (declared.imageColor && declared.placesImage)
  const behind = layered(declared.background === currentColor ? color : declared.background, overlaps ? null : parent.background)

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
    paint: declared.paint === undefined ? parent.paint : declared.paint,
    background: isPicture ? null : layered(declared.imageColor, behind),
    zoom: declared.zoom && declared.zoom > 0 ? parent.zoom * declared.zoom : parent.zoom,
    isScattered: declared['letter-spacing'] === undefined ? parent.isScattered : px(declared['letter-spacing'], fontPx) <= maxScatteringPx,
    isFlat,
    cutsLines: isFlat && !hasHeight(declared, fontPx) && (cutsOverflow || (parent.cutsLines && !isOut)),
    origin: hasFrame ? 'fixed' : (isOut || position === 'relative') && parent.origin === 'page' ? 'absolute' : parent.origin,
    roomPx: Math.min(room.roomPx, ownRoomPx),
    marginPx: ownRoomPx < Infinity ? 0 : room.marginPx,
    takesPx: room.roomPx < Infinity && display === 'block' ? takenHeightOf(declared, fontPx) : 0,
    variables: declared.variables ?? parent.variables,
    showsBox: true, showsText: true,
  })
  return isSame(style, parent) ? parent : style
}

const placements = ['top', 'right', 'bottom', 'left'] as const

/** One of two sizes: whether text can be read is all that matters of its size, and fewer styles differ. */
const readableOrNot = (fontPx: number) => fontPx > maxHiddenFontPx ? initialFontPx : 0

export const isSame = (a: ComputedStyle, b: ComputedStyle): boolean =>
  a.color === b.color && a.background === b.background && a.fontPx === b.fontPx && a.isGone === b.isGone && a.isHidden === b.isHidden
  && a.isAway === b.isAway && a.isCut === b.isCut && a.opacity === b.opacity && a.isIndented === b.isIndented
  && a.indentsBlocks === b.indentsBlocks && a.keepsLines === b.keepsLines && a.fill === b.fill && a.paint === b.paint
  && a.overlaps === b.overlaps && a.gap === b.gap && a.spacesItems === b.spacesItems && a.zoom === b.zoom
  && a.isScattered === b.isScattered && a.isFlat === b.isFlat
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
  style.showsText = style.showsBox && style.fontPx > maxHiddenFontPx && style.zoom > maxHiddenScale && !style.isIndented
    && !style.isScattered && !style.cutsLines && isContrasting(style)
  return style
}

const isContrasting = (style: ComputedStyle): boolean =>
  isSeen(style.fill === undefined ? style.color : style.fill, style) || (style.paint !== null && isSeen(style.paint, style))

/** @param shown null when it is not known */
function isSeen(shown: Color | null, { background, opacity }: ComputedStyle): boolean {
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
