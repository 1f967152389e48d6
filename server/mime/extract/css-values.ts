/** Values of CSS, in lower case, as far as the visibility of text depends on them. */

/** Red, green and blue, from 0 to 255, and alpha, from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** @returns null for a color that is not understood, such as a variable; the same object for the same short value */
export function readColor(value: string): Color | null {
  if (value.length > maxKeptChars) return parseColor(value)
  let color = kept.get(value)
  if (color !== undefined) return color
  color = parseColor(value)
  if (kept.size < maxKept) kept.set(value, color)
  return color
}

const kept = new Map<string, Color | null>()
const maxKept = 2_000
/** A longer part of a string would keep all of it in memory. */
const maxKeptChars = 12

function parseColor(value: string): Color | null {
  if (value === 'transparent') return [0, 0, 0, 0]
  const hex = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(value) ? value.slice(1) : namedColors.get(value)
  if (hex) return readHex(hex)
  const [, name, list] = /^(rgb|hsl)a?\(([^()]{1,100})\)$/.exec(value) ?? []
  const parts = list?.trim().split(/[\s,/]+/) ?? []
  if (parts.length < 3 || parts.length > 4) return null
  const alpha = parts[3] === undefined ? 1 : readRatio(parts[3])
  const color = name === 'rgb' ? parts.slice(0, 3).map((part) => part.endsWith('%') ? Number(part.slice(0, -1)) * 2.55 : Number(part)) : readHsl(parts)
  if (![...color, alpha].every(Number.isFinite)) return null
  const [red, green, blue] = color.map((part) => Math.min(255, Math.max(0, part)))
  return [red!, green!, blue!, alpha]
}

/** The color of an attribute such as `bgcolor`, in which the "#" may be missing, as CSS. */
export const legacyColor = (value: string): string => /^[\da-f]{3}(?:[\da-f]{3})?$/i.test(value.trim()) ? `#${value.trim()}` : value

/** @returns a number from 0 to 1; NaN for another value */
export function readRatio(value: string): number {
  const ratio = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : value === '' ? NaN : Number(value)
  return Math.min(1, Math.max(0, ratio))
}

/**
 * @param basePx of "%", or of a viewport where that is not known
 * @returns NaN for a value that is no length, such as a keyword or a function
 */
export function toPx(value: string, fontPx: number, basePx = viewportPx): number {
  if (value === '0') return 0
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

const unitPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)([a-z]{0,4}|%)$/

/** The width of a page for which visibility is determined. */
const viewportPx = 800

/** The size of text without a style, and 1rem. */
export const initialFontPx = 16

const unitsPx: Partial<Record<string, number>> = {
  px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, rem: initialFontPx, vw: viewportPx / 100, vh: viewportPx / 100,
}

/** @returns the initial size for a value that is not understood */
export function fontPxOf(value: string, parentPx: number): number {
  if (value === 'smaller' || value === 'larger') return parentPx * (value === 'smaller' ? 0.83 : 1.2)
  const px = toPx(value, parentPx, parentPx)
  return px >= 0 ? px : initialFontPx
}

function readHex(hex: string): Color {
  const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex
  const [red, green, blue, alpha = 255] = digits.match(/../g)!.map((pair) => parseInt(pair, 16))
  return [red!, green!, blue!, alpha / 255]
}

function readHsl([hue, saturation, lightness]: string[]): number[] {
  const [h, s, l] = [Number(hue!.replace(/deg$/, '')), readRatio(saturation!), readRatio(lightness!)]
  return [0, 8, 4].map((offset) => {
    const k = (((offset + h / 30) % 12) + 12) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  })
}

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
  white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`.trim().split(/\s+/)
const namedColors = new Map(names.flatMap((name, i) => i % 2 === 0 ? [[name, names[i + 1]!] as const] : []))
