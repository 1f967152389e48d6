import { tableOf } from '../table-of.ts'
import { evaluate, readRatio, splitCss } from './css-values.ts'
import type { CssNumber } from './css-values.ts'

/** Colors of CSS, in lower case, as far as the visibility of text depends on them (CSS Color 5). */

/** Red, green and blue, from 0 to 255, and alpha, from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** Stands for the color of the element's text. */
export const currentColor: Color = [NaN, NaN, NaN, 1]

/**
 * @param depth of colors within colors, such as those of `color-mix`
 * @returns null for a color that is not understood, such as a variable; the same object for the same short value
 */
export function readColor(value: string, depth = 0): Color | null {
  if (value.length > maxKeptChars) return parseColor(value, depth)
  let color = kept.get(value)
  if (color !== undefined) return color
  color = parseColor(value, depth)
  if (kept.size < maxKept) kept.set(value, color)
  return color
}

const kept = new Map<string, Color | null>()
const maxKept = 2_000
/** A longer part of a string would keep all of it in memory. */
const maxKeptChars = 12

/** The color of an attribute such as `bgcolor`, in which the "#" may be missing, as CSS. */
export const legacyColor = (value: string): string => /^[\da-f]{3}(?:[\da-f]{3})?$/i.test(value.trim()) ? `#${value.trim()}` : value

/**
 * The color of an image that has one color: a gradient between equal colors.
 * @returns null for another image
 */
export function colorOfImage(value: string): Color | null {
  const [, list] = /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(([^]{1,300})\)$/.exec(value) ?? []
  const stops = splitCss(list ?? '', ',')
  const colors = stops.map((stop) => readColor(splitCss(stop, ' ')[0] ?? ''))
  const known = colors[0] ? colors : colors.slice(1) // the first part can be a direction
  const [first] = known
  return first && known.every((color) => color?.join() === first.join()) ? first : null
}

/** Bounds of the time for a color that is a function: a page may have some ten thousand of them. */
const maxChars = 120
const maxDepth = 1

function parseColor(value: string, depth: number): Color | null {
  if (value === 'transparent') return [0, 0, 0, 0]
  if (value === 'currentcolor') return currentColor
  const hex = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(value) ? value.slice(1) : namedColors.get(value)
  if (hex) return readHex(hex)
  const [, name, list] = (value.length <= maxChars && depth <= maxDepth && /^([a-z-]+)\(([^]*)\)$/.exec(value)) || []
  if (list === undefined) return null
  if (name === 'light-dark') return readColor(splitCss(list, ',')[0] ?? '', depth + 1)
  const color = name === 'color-mix' ? mix(splitCss(list, ','), depth + 1) : readFunction(name!, splitCss(list, ' ,/'), depth + 1)
  return color?.every(Number.isFinite) ? color : null
}

function readHex(hex: string): Color {
  const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex
  const [red, green, blue, alpha = 255] = digits.match(/../g)!.map((pair) => parseInt(pair, 16))
  return [red!, green!, blue!, alpha / 255]
}

/** @param parts such as those of `rgb(0 0 0 / 50%)`, `color(srgb 0 0 0)` and `rgb(from white r g b)` */
function readFunction(name: string, parts: string[], depth: number): Color | null {
  const origin = parts[0] === 'from' ? readColor(parts[1] ?? '', depth) : null
  if (parts[0] === 'from') {
    if (!origin) return null
    parts.splice(0, 2)
  }
  const space = spaces[name === 'color' ? parts.shift() ?? '' : name.replace(/^(rgb|hsl)a$/, '$1')]
  if (!space || parts.length < 3 || parts.length > 4) return null
  const named = new Map(origin ? [...space.fromRgb(rgbOf(origin)), origin[3]].map((channel, i) => [space.names[i] ?? 'alpha', channel]) : [])
  const channels = parts.slice(0, 3).map((part, i) => readChannel(part, space.full[i]!, named))
  const alpha = parts[3] === undefined ? origin?.[3] ?? 1 : named.has(parts[3]) ? named.get(parts[3])! : readRatio(parts[3])
  return colorOf(space.toRgb(channels as Triple), alpha)
}

/** @param full the value of 100%; 0 for an angle in degrees @param named the channels of a color to begin from */
function readChannel(part: string, full: number, named: ReadonlyMap<string, number>): number {
  const number = (value: number): CssNumber => ({ value, isLength: false })
  const read = (word: string): CssNumber | null => {
    if (named.has(word)) return number(named.get(word)!)
    const [, digits, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]*|%)$/.exec(word) ?? []
    if (digits === undefined) return word === 'none' ? number(0) : null
    if (unit === '%' && full > 0) return number(Number(digits) * full / 100)
    const factor = unit === '' ? 1 : full === 0 ? degrees[unit] : undefined
    return factor === undefined ? null : number(Number(digits) * factor)
  }
  return evaluate(part, read)?.value ?? NaN
}

const degrees: Partial<Record<string, number>> = tableOf({ deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 })

/** `color-mix`. Hues are mixed by their shares of red, green and blue: this is exact for grays and equal colors. */
function mix(parts: string[], depth: number): Color | null {
  const [, name] = /^in ([a-z\d-]+)/.exec(parts[0] ?? '') ?? []
  const space = spaces[name ? rectangular[name] ?? name : 'oklab']
  const colors = (name ? parts.slice(1) : parts).map((part) => splitCss(part, ' '))
  if (!space || colors.length !== 2) return null
  const [first, second] = colors.map((words) => readColor(words.find((word) => !word.endsWith('%')) ?? '', depth))
  const [share, otherShare] = colors.map((words) => words.find((word) => word.endsWith('%'))).map((word) => word && readRatio(word))
  const shares = [share ?? 1 - Number(otherShare ?? 0.5), otherShare ?? 1 - Number(share ?? 0.5)].map(Number)
  const sum = shares[0]! + shares[1]!
  if (!first || !second || !(sum > 0)) return null
  const [weight, otherWeight] = [first[3] * shares[0]! / sum, second[3] * shares[1]! / sum]
  const alpha = weight + otherWeight
  if (alpha === 0) return [0, 0, 0, 0]
  const [a, b] = [space.fromRgb(rgbOf(first)), space.fromRgb(rgbOf(second))]
  const mixed = a.map((channel, i) => (channel * weight + b[i]! * otherWeight) / alpha)
  return colorOf(space.toRgb(mixed as Triple), alpha * Math.min(1, sum))
}

const rectangular: Partial<Record<string, string>> = tableOf({ oklch: 'oklab', lch: 'lab', hsl: 'rgb', hwb: 'rgb', srgb: 'rgb' })

type Triple = [number, number, number]

/** Red, green and blue, from 0 to 1. */
const rgbOf = ([red, green, blue]: Color): Triple => [red / 255, green / 255, blue / 255]

function colorOf(rgb: Triple, alpha: number): Color {
  const [red, green, blue] = rgb.map((part) => 255 * Math.min(1, Math.max(0, part)))
  return [red!, green!, blue!, Math.min(1, Math.max(0, alpha))]
}

interface Space {
  /** Of its channels, in relative colors. */
  names: string
  /** The values of 100%; 0 for an angle. */
  full: Triple
  toRgb(channels: Triple): Triple
  fromRgb(rgb: Triple): Triple
}

const map = (values: Triple, change: (value: number) => number): Triple => [change(values[0]), change(values[1]), change(values[2])]
const toLinear = (rgb: Triple) => map(rgb, (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const fromLinear = (rgb: Triple) => map(rgb, (c) => c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055)

type Matrix = [Triple, Triple, Triple]
const times = (matrix: Matrix, [a, b, c]: Triple): Triple => matrix.map((row) => row[0] * a + row[1] * b + row[2] * c) as Triple

function inverse(m: Matrix): Matrix {
  const minor = (row: number, column: number) => {
    const [r1, r2, c1, c2] = [(row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3]
    return m[r1]![c1]! * m[r2]![c2]! - m[r1]![c2]! * m[r2]![c1]!
  }
  const determinant = [0, 1, 2].reduce((sum, i) => sum + m[0][i]! * minor(0, i), 0)
  return [0, 1, 2].map((row) => [0, 1, 2].map((column) => minor(column, row) / determinant)) as Matrix
}

/** Of linear sRGB. */
const toXyz65: Matrix = [[0.41239, 0.35758, 0.18048], [0.21264, 0.71517, 0.07219], [0.01933, 0.11919, 0.95053]]
const toXyz50: Matrix = [[0.43607, 0.38515, 0.14308], [0.22249, 0.71689, 0.06062], [0.01392, 0.09708, 0.7141]]
const toCones: Matrix = [[0.41222, 0.53633, 0.05145], [0.2119, 0.6807, 0.1074], [0.0883, 0.28172, 0.62998]]
const conesToOklab: Matrix = [[0.21045, 0.79362, -0.00407], [1.978, -2.42859, 0.45059], [0.0259, 0.78277, -0.80868]]
const white50: Triple = [0.96422, 1, 0.82521]

const rgb: Space = { names: 'rgb', full: [255, 255, 255], toRgb: (c) => map(c, (x) => x / 255), fromRgb: (c) => map(c, (x) => x * 255) }
const srgb: Space = { names: 'rgb', full: [1, 1, 1], toRgb: (c) => c, fromRgb: (c) => c }
const ofMatrix = (names: string, matrix: Matrix): Space => {
  const back = inverse(matrix)
  return { names, full: [1, 1, 1], toRgb: (c) => fromLinear(times(back, c)), fromRgb: (c) => times(matrix, toLinear(c)) }
}
const oklab: Space = {
  names: 'lab', full: [1, 0.4, 0.4],
  toRgb: (c) => fromLinear(times(fromCones, map(times(oklabToCones, c), (x) => x ** 3))),
  fromRgb: (c) => times(conesToOklab, map(times(toCones, toLinear(c)), Math.cbrt)),
}
const [fromCones, oklabToCones, fromXyz50] = [toCones, conesToOklab, toXyz50].map(inverse) as [Matrix, Matrix, Matrix]
const lab: Space = {
  names: 'lab', full: [100, 125, 125],
  toRgb([l, a, b]) {
    const y = (l + 16) / 116
    const cubes = map([y + a / 500, y, y - b / 200], (f) => f > 6 / 29 ? f ** 3 : (116 * f - 16) / 903.3)
    return fromLinear(times(fromXyz50, cubes.map((x, i) => x * white50[i]!) as Triple))
  },
  fromRgb(c) {
    const ratios = times(toXyz50, toLinear(c)).map((x, i) => x / white50[i]!) as Triple
    const [x, y, z] = map(ratios, (ratio) => ratio > 0.008856 ? Math.cbrt(ratio) : (903.3 * ratio + 16) / 116)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  },
}
const polar = (space: Space): Space => ({
  names: 'lch', full: [space.full[0], space.full[1] * (space === lab ? 1.2 : 1), 0],
  toRgb: ([l, c, h]) => space.toRgb([l, c * Math.cos(h * Math.PI / 180), c * Math.sin(h * Math.PI / 180)]),
  fromRgb(c) {
    const [l, a, b] = space.fromRgb(c)
    return [l, Math.hypot(a, b), Math.atan2(b, a) * 180 / Math.PI]
  },
})
const hsl: Space = {
  names: 'hsl', full: [0, 100, 100],
  toRgb: ([h, s, l]) => [0, 8, 4].map((offset) => {
    const k = (((offset + h / 30) % 12) + 12) % 12
    return (l - s * Math.min(l, 100 - l) / 100 * Math.max(-1, Math.min(k - 3, 9 - k, 1))) / 100
  }) as Triple,
  fromRgb(c) {
    const [min, max] = [Math.min(...c), Math.max(...c)]
    const [range, l] = [max - min, (max + min) / 2]
    const [r, g, b] = c
    const sector = range === 0 ? 0 : max === r ? (g - b) / range : max === g ? 2 + (b - r) / range : 4 + (r - g) / range
    return [sector * 60, range === 0 ? 0 : 100 * range / (1 - Math.abs(2 * l - 1)), 100 * l]
  },
}
const hwb: Space = {
  names: 'hwb', full: [0, 100, 100],
  toRgb([h, w, b]) {
    const rest = Math.max(0, 100 - w - b)
    return map(hsl.toRgb([h, 100, 50]), (c) => (c * rest + w) / (rest + w + b))
  },
  fromRgb: (c) => [hsl.fromRgb(c)[0], 100 * Math.min(...c), 100 - 100 * Math.max(...c)],
}
/** Another RGB space: black, white and their limits are those of sRGB. Other colors are not understood. */
const wide: Space = { ...srgb, toRgb: (c) => c.every((x) => x >= 1) || c.every((x) => x <= 0) ? c : [NaN, NaN, NaN] }

const spaces: Partial<Record<string, Space>> = tableOf({
  rgb, hsl, hwb, lab, lch: polar(lab), oklab, oklch: polar(oklab), srgb,
  'srgb-linear': { ...srgb, toRgb: fromLinear, fromRgb: toLinear },
  xyz: ofMatrix('xyz', toXyz65), 'xyz-d65': ofMatrix('xyz', toXyz65), 'xyz-d50': ofMatrix('xyz', toXyz50),
  'display-p3': wide, 'display-p3-linear': wide, 'a98-rgb': wide, 'prophoto-rgb': wide, rec2020: wide,
})

const names = `
  aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000
  blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e
  coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b
  darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00
  darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
  darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff
  firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
  gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0
  khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
  lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a
  lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
  lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3
  mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
  midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
  olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee
  palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080
  rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57
  seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa
  springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3
  white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
  canvas ffffff canvastext 000000 linktext 0000ee buttonface efefef buttontext 000000 field ffffff fieldtext 000000 mark ffff00 marktext 000000
  window ffffff windowtext 000000 background ffffff infobackground ffffff infotext 000000 menu ffffff menutext 000000 captiontext 000000`.trim().split(/\s+/)
const namedColors = new Map(names.flatMap((name, i) => i % 2 === 0 ? [[name, names[i + 1]!] as const] : []))
