import { hugePx, initialFontPx, readNumber, splitCss, toPx } from './css-values.ts'

/** Shapes of CSS that show nothing. */

/** Letters of 16 px have 1 px, and larger ones cannot be read. */
export const maxHiddenScale = 1 / 16

/** Whether a transformation leaves nothing of an element in the page. */
export function hidesByTransform(value: string): boolean {
  const functions = value.match(/(?:scale|translate|rotate|matrix|skew)(?:3d|[xy])?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g) ?? []
  return functions.some((called) => {
    const bracket = called.indexOf('(')
    const name = called.slice(0, bracket)
    const parts = splitCss(called.slice(bracket + 1, -1), ' ,')
    if (name.startsWith('scale')) return parts.slice(0, 2).some((part) => Math.abs(readNumber(part)) <= maxHiddenScale)
    if (name.startsWith('translate')) return parts.slice(0, 2).some((part) => toPx(part, initialFontPx, 100) <= -1_000)
    return name === 'matrix' ? parts.slice(0, 4).every((part) => Number(part) === 0) : /^(?:rotate|skew)[xy] -?90deg/.test(`${name} ${parts[0]}`)
  })
}

/** The four sides of a shorthand, clockwise from the top. */
export function sides(value: string): [string, string, string, string] {
  const [top = '', right = top, bottom = top, left = right] = splitCss(value, ' ')
  return [top, right, bottom, left]
}

/** Of `clip`. */
export function isEmptyRectangle(value: string): boolean {
  const [top, right, bottom, left] = /^rect\(([^()]{1,100})\)$/.exec(value)?.[1]?.trim().split(/[\s,]+/).map((side) => toPx(side, initialFontPx)) ?? []
  return bottom! - top! <= 1 || right! - left! <= 1
}

/** Of `clip-path`. */
export function isEmptyPath(value: string): boolean {
  if (/^(?:circle|ellipse)\(\s*0(?:px|%)?\s*[\s)]/.test(value)) return true
  const points = /^polygon\(([^()]{1,200})\)$/.exec(value)?.[1]?.split(',').map((point) => point.trim())
  if (points) return new Set(points).size <= 2
  const [, shape, list = ''] = /^(inset|rect|xywh)\(([^]{1,100})\)$/.exec(value) ?? []
  const given = splitCss(list.split('round')[0]!, ' ')
  const lengths = (sides: string[]) => sides.map((side) => toPx(side, initialFontPx, hugePx))
  const [top, right, bottom, left] = lengths(sides(given.join(' ')))
  if (shape === 'xywh') return lengths(given).slice(2).some((size) => size === 0)
  if (shape === 'rect') return bottom! <= top! || right! <= left!
  return shape === 'inset' && (top! + bottom! >= hugePx || left! + right! >= hugePx || given.some((side) => toPx(side, initialFontPx, 0) >= 2_000))
}
