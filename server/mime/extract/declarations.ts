import { tableOf } from '../table-of.ts'
import { colorOfImage, readColor } from './css-colors.ts'
import type { Color } from './css-colors.ts'
import { initialFontPx, readNumber, readRatio, splitCss, toPx } from './css-values.ts'
import type { Unresolved, Variables } from './css-variables.ts'
import { hashOf, hasNameAt, nextHash } from './html-elements.ts'
import { hidesByTransform, isEmptyPath, isEmptyRectangle, sides } from './shapes.ts'

/**
 * The properties on which the visibility of text depends. Lengths are CSS, since their units may depend on the font; a color that is not
 * understood is null. `undefined` stands for the value of the parent where a property is inherited, else for the initial value.
 */
export interface Declared extends Partial<Record<LengthName, string>>, Partial<Record<FlagName, boolean>> {
  display?: 'none' | 'inline' | 'block' | 'table'
  position?: 'static' | 'relative' | 'absolute'
  visibility?: 'hidden' | 'visible'
  opacity?: number
  filterOpacity?: number
  color?: Color | null
  /** Of the inside of letters, in place of `color`. */
  fill?: Color | null
  background?: Color | null
  /** Of shadows and outlines of letters; null for none. */
  paint?: Color | null
  /** Of a background image that has one color. */
  imageColor?: Color | null
  'font-size'?: string
  'line-height'?: string
  'letter-spacing'?: string
  zoom?: number
  /** With those of the elements around. */
  variables?: Variables
  transform?: 'none' | 'moves' | 'hides'
}

type LengthName = typeof offsetNames[number] | typeof sizeNames[number]
const offsetNames = ['top', 'right', 'bottom', 'left', 'margin-top', 'margin-bottom', 'margin-left', 'text-indent'] as const
export const sizeNames = ['width', 'height', 'max-width', 'max-height', 'min-width', 'min-height', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left'] as const

type FlagName = typeof hidingFlags[number] | 'breaksLine' | 'scrolls' | 'spacesItems' | 'keepsLines' | 'hasImage' | 'placesImage' | 'hasEffect' | 'isPainted' | 'isAnimated'
const hidingFlags = ['isFloat', 'clipsOverflow', 'clipsBox', 'clipsPath', 'hidesContent', 'isFixed', 'isBorderBox'] as const

/** The declarations of a style attribute or a rule that matter here. */
export interface Declarations {
  normal: Declared | null
  important: Declared | null
  /** In place of both, where they depend on custom properties. */
  unresolved?: Unresolved
}

/** Longer CSS is read as if custom properties were not known. */
const maxUnresolvedChars = 2_000

/** @returns null when no declaration matters for the visibility of text */
export function readDeclarations(css: string): Declarations | null {
  let text = css
  if (text.includes('/*')) text = withoutComments(text)
  if (text.includes('\\')) text = withoutEscapes(text)
  const hasVariables = text.includes('--') && text.length <= maxUnresolvedChars && variable.test(text)
  return hasVariables ? { normal: null, important: null, unresolved: { css: text, isCertain: true } } : readResolved(text)
}

const variable = /(?:^|[;:\s(,])--\w/

/** Reads declarations without custom properties, comments and escapes. */
export function readResolved(text: string): Declarations | null {
  let declarations: Declarations | null = null
  let hash = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === SEMICOLON) [start, hash] = [at + 1, 0]
    else if (code <= SPACE) {
      if (start === at) start++
    } else if (code !== COLON) hash = nextHash(hash, code)
    else {
      const semicolon = text.indexOf(';', at)
      const end = semicolon < 0 ? text.length : semicolon
      const reader = readers.get(hash)
      if (reader && hasNameAt(text, start, reader.name)) declarations = readDeclaration(text.slice(at + 1, end), reader, declarations)
      at = end
      ;[start, hash] = [end + 1, 0]
    }
  }
  return declarations
}

function readDeclaration(source: string, { read }: PropertyReader, declarations: Declarations | null): Declarations | null {
  const value = source.toLowerCase()
  const mark = value.indexOf('!')
  const isImportant = mark >= 0 && value.slice(mark + 1).trim() === 'important'
  // another mark makes a declaration invalid
  if (mark >= 0 && !isImportant) return declarations
  const into = declarations ?? { normal: null, important: null }
  read((mark < 0 ? value : value.slice(0, mark)).trim(), into[isImportant ? 'important' : 'normal'] ??= {})
  return into
}

const [SPACE, COLON, SEMICOLON] = [0x20, 0x3a, 0x3b] as const

const withoutEscapes = (css: string): string =>
  css.replace(/\\(?:([\da-f]{1,6})\s?)?/gi, (_, hex: string | undefined) => hex ? String.fromCharCode(parseInt(hex, 16)) : '')

/** Removes comments. Strings stay, but those with a brace or a semicolon are emptied, so that they are not read as syntax. */
export const withoutComments = (css: string): string =>
  css.replace(/\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/g, (found) => found.startsWith('/') ? ' ' : /[{};]/.test(found) ? '""' : found)

/** The declarations of a rule that may apply or not: only those that show text, and colors as unknown ones. */
export function onlyShowing(declared: Declared): Declared {
  return Object.fromEntries(Object.entries(declared).filter(([key, value]) => showing.get(key)?.(value as never) ?? true)
    .map(([key, value]) => [key, colors.includes(key) ? null : value]))
}

export const showingOf = ({ normal, important, unresolved }: Declarations): Declarations => ({
  normal: normal && onlyShowing(normal), important: important && onlyShowing(important),
  unresolved: unresolved && { ...unresolved, isCertain: false },
})

const colors = ['color', 'fill', 'background', 'imageColor']
const showing = new Map<string, (value: never) => boolean>(Object.entries({
  display: (value: Declared['display']) => value !== 'none',
  position: (value: Declared['position']) => value === 'static',
  visibility: (value: Declared['visibility']) => value === 'visible',
  opacity: (value = 0) => value > 0.1,
  filterOpacity: (value = 0) => value > 0.1,
  'font-size': (value = '0') => !(toPx(value, 0) <= 1),
  'line-height': (value = '0') => !(parseFloat(value) <= 1),
  'letter-spacing': (value = '0') => !(toPx(value, initialFontPx) < -10),
  zoom: (value = 0) => value > 0.5,
  paint: (value: Color | null) => value !== null,
  transform: (value: Declared['transform']) => value === 'none',
  ...Object.fromEntries(hidingFlags.map((name) => [name, (value: boolean | undefined) => value === false])),
  ...Object.fromEntries(offsetNames.map((name) => [name, (value = '0') => !(Math.abs(toPx(value, initialFontPx)) > 100)])),
  ...Object.fromEntries(sizeNames.map((name) => [name, (value = 'auto') => !(toPx(value, initialFontPx) <= 1)])),
}))

type Reader = (value: string, into: Declared) => void

const tables = /^(?:inline-)?table|^table-/
const blocks = /^(?:(?:inline-)?(?:block|flex|grid)|flow-root|list-item|-webkit-(?:inline-)?(?:box|flex))$/
const sizeOfFont = /(?:^|\s)((?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)|0|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s*\/\s*\S+)?\s+\S/
/** Words of the shorthand `background` that are neither colors nor images. */
const placeOfBackground = /^(?:none|(?:no-)?repeat(?:-[xy])?|space|round|center|top|bottom|left|right|scroll|fixed|local|auto|cover|contain|(?:border|padding|content)-box|\/|[\d.-].*)$/

const backgroundColor: Reader = (value, into) => { into.background = readColor(value) }
const backgroundImage: Reader = (value, into) => {
  const color = colorOfImage(value)
  into.imageColor = color ?? undefined
  into.hasImage = value !== 'none' && !color
}
const placeOfImage: Reader = (_, into) => { into.placesImage = true }
const backgroundClip: Reader = (value, into) => { if (value === 'text') into.isPainted = true }
const transform: Reader = (value, into) => { into.transform = hidesByTransform(value) ? 'hides' : value === 'none' ? 'none' : 'moves' }
const overflow: Reader = (value, into) => {
  into.clipsOverflow = /hidden|clip|scroll|auto/.test(value)
  into.scrolls = /scroll|auto/.test(value)
}
const overflowOfAxis: Reader = (value, into) => {
  into.clipsOverflow = /^(?:hidden|scroll|auto)$/.test(value)
  if (/scroll|auto/.test(value)) into.scrolls = true
}
const clipPath: Reader = (value, into) => { into.clipsPath = isEmptyPath(value) }
const animation: Reader = (value, into) => { into.isAnimated = value !== 'none' }
const stroke: Reader = (value, into) => { if (!/^0|^none$/.test(value)) into.isPainted = true }
/** Shadows and outlines without a color have that of the letters. */
const paint: Reader = (value, into) => {
  const layers = splitCss(value, ',').map((layer) => splitCss(layer, ' ').find((part) => /^#|[a-z(]/.test(part) && !/^[\d.+-]/.test(part)))
  const colors = layers.filter((part) => part !== undefined && part !== 'none' && part !== 'currentcolor').map((part) => readColor(part!))
  into.paint = colors[0] ?? null
  into.isPainted = colors.some((color) => color?.join() !== colors[0]?.join() || !color)
}
const mask: Reader = (value, into) => { into.clipsPath = colorOfImage(splitCss(value, ' ')[0] ?? '')?.[3] === 0 }

const ofProperties: Record<string, Reader> = tableOf({
  display(value, into) {
    into.display = value === 'none' ? 'none' : blocks.test(value) ? 'block' : tables.test(value) ? 'table' : 'inline'
    into.breaksLine = into.display !== 'inline' && !/^inline|^table-cell/.test(value)
    into.spacesItems = /flex|grid|box/.test(value)
  },
  position(value, into) {
    into.isFixed = value === 'fixed'
    into.position = /^(?:absolute|fixed)$/.test(value) ? 'absolute' : /^(?:relative|(?:-webkit-)?sticky)$/.test(value) ? 'relative' : 'static'
  },
  visibility: (value, into) => { into.visibility = /^(?:hidden|collapse)$/.test(value) ? 'hidden' : 'visible' },
  opacity: (value, into) => { into.opacity = ratio(value) },
  filter: (value, into) => {
    into.filterOpacity = ratio(/^opacity\(\s*([\d.]+%?)\s*\)$/.exec(value)?.[1] ?? '')
    if (value !== 'none') into.hasEffect = true
  },
  'mix-blend-mode': (value, into) => { if (value !== 'normal' && value !== 'none') into.hasEffect = true },
  color: (value, into) => { into.color = value === 'currentcolor' ? undefined : readColor(value) },
  '-webkit-text-fill-color': (value, into) => { into.fill = value === 'currentcolor' ? undefined : readColor(value) },
  'text-shadow': paint, '-webkit-text-stroke': (value, into) => value.startsWith('0') ? paint('none', into) : paint(value, into),
  mask, 'mask-image': mask, '-webkit-mask': mask, '-webkit-mask-image': mask,
  '-webkit-text-stroke-width': stroke,
  background(value, into) {
    const parts = splitCss(value, ' ')
    const color = parts.find((part) => readColor(part))
    const images = parts.filter((part) => part.includes('(') && part !== color)
    backgroundImage(images.length === 0 ? 'none' : images.join(' '), into)
    into.placesImage = parts.length > images.length + (color ? 1 : 0)
    into.background = color ? readColor(color) : parts.every((part) => placeOfBackground.test(part) || part.includes('(')) ? [0, 0, 0, 0] : null
    if (parts.includes('text')) into.isPainted = true
  },
  'background-color': backgroundColor, 'background-image': backgroundImage, 'background-clip': backgroundClip, '-webkit-background-clip': backgroundClip,
  'background-size': placeOfImage, 'background-repeat': placeOfImage, 'background-position': placeOfImage,
  'white-space': (value, into) => { into.keepsLines = /pre|break-spaces/.test(value) },
  'font-size': (value, into) => { into['font-size'] = value },
  font(value, into) {
    into['font-size'] = sizeOfFont.exec(value)?.[1] ?? 'medium'
    into['line-height'] = /\/\s*(\S+)/.exec(value)?.[1] ?? 'normal'
  },
  'line-height': (value, into) => { into['line-height'] = value },
  'letter-spacing': (value, into) => { into['letter-spacing'] = value },
  zoom: (value, into) => { into.zoom = readNumber(value) },
  'box-sizing': (value, into) => { into.isBorderBox = value === 'border-box' },
  float: (value, into) => { into.isFloat = value !== 'none' },
  overflow, 'overflow-x': overflowOfAxis, 'overflow-y': overflowOfAxis, 'overflow-block': overflowOfAxis, 'overflow-inline': overflowOfAxis,
  clip: (value, into) => { into.clipsBox = isEmptyRectangle(value) },
  'clip-path': clipPath, '-webkit-clip-path': clipPath,
  'content-visibility': (value, into) => { into.hidesContent = value === 'hidden' },
  transform, '-webkit-transform': transform,
  scale: (value, into) => transform(value === 'none' ? value : `scale(${value.replaceAll(/\s+/g, ',')})`, into),
  translate: (value, into) => transform(value === 'none' ? value : `translate(${value.replaceAll(/\s+/g, ',')})`, into),
  animation, 'animation-name': animation, '-webkit-animation': animation,
  margin: (value, into) => { [into['margin-top'], , into['margin-bottom'], into['margin-left']] = sides(value) },
  padding: (value, into) => { [into['padding-top'], into['padding-right'], into['padding-bottom'], into['padding-left']] = sides(value) },
  inset: (value, into) => { [into.top, into.right, into.bottom, into.left] = sides(value) },
})
for (const name of [...offsetNames, ...sizeNames]) ofProperties[name] = (value, into) => { into[name] = value }
/** Names for any direction of writing, which are read as those of text from left to right. */
for (const [axis, start, end] of [['block', 'top', 'bottom'], ['inline', 'left', 'right']] as const) {
  for (const kind of ['margin', 'padding', 'inset'] as const) {
    const [first, last] = [start, end].map((side) => ofProperties[kind === 'inset' ? side : `${kind}-${side}`])
    if (first) ofProperties[`${kind}-${axis}-start`] = first
    if (last) ofProperties[`${kind}-${axis}-end`] = last
    ofProperties[`${kind}-${axis}`] = (value, into) => {
      const [before = '', after = before] = splitCss(value, ' ')
      first?.(before, into)
      last?.(after, into)
    }
  }
  for (const limit of ['', 'min-', 'max-']) ofProperties[`${limit}${axis}-size`] = ofProperties[`${limit}${axis === 'block' ? 'height' : 'width'}`]!
}

interface PropertyReader { name: string, read: Reader }

/** By the hash of the name of a property. */
const readers = new Map(Object.entries(ofProperties).map(([name, read]): [number, PropertyReader] =>
  [hashOf(name, 0, name.length), { name, read: withKeywords(name, read) }]))
const keywords = ['inherit', 'initial', 'unset', 'revert', 'revert-layer']

/** Reads keywords that every property has: a value of the parent, or the initial one. */
function withKeywords(name: string, read: Reader): Reader {
  return (value, into) => {
    if (!keywords.includes(value)) return read(value, into)
    const isInherited = value === 'inherit' || value === 'unset'
    if (name === 'display') into.display = 'inline'
    else if (name === 'visibility') into.visibility = isInherited ? undefined : 'visible'
    else if (name === 'font-size' || name === 'font') into['font-size'] = isInherited ? undefined : 'medium'
    else if (name === 'line-height' || name === 'letter-spacing') into[name] = isInherited ? undefined : 'normal'
    else if (name === 'zoom') into.zoom = 1
    else if (name === 'white-space') into.keepsLines = isInherited ? undefined : false
    else if (name === 'color') into.color = isInherited ? undefined : null
    else if (name.startsWith('background')) into.background = null
    else read('none', into)
  }
}

const ratio = (value: string) => Number.isNaN(readRatio(value)) ? undefined : readRatio(value)
