import type { Color } from './css-colors.ts'
import type { ComputedStyle } from './computed-style.ts'
import type { Attributes } from './html-tags.ts'

/** Signs by which an anchor is a button: its role, its class, its style, and a surface that has its text alone. */

const background = String.raw`background(?:-color)?\s?:\s?(?!#fff(?:fff)?\b|white|transparent|none|inherit|initial)`
const buttonStyle = new RegExp(`${background}|border-radius|border\\s?:\\s?[1-9]`, 'i')
const buttonClass = /\b(?:btn|button|cta)/i

/** Whether an anchor itself has such a sign. */
export function isButton({ role, class: classes, style }: Attributes): boolean {
  return role?.toLowerCase() === 'button' || hasButtonClass(classes) || (style !== undefined && isButtonStyle(style.slice(0, 1_000)))
}

const isButtonStyle = (style: string) => buttonStyle.test(style) || (/padding/i.test(style) && /display\s?:\s?(?:inline-)?block/i.test(style))
const hasButtonClass = (classes: string | undefined) => classes !== undefined && buttonClass.test(classes.slice(0, 500))

/** An element with a background of its own, or with the class of a button: a cell around an anchor, the anchor, or an element in it. */
export interface Surface {
  /** Null for the page. */
  parent: Surface | null
  /** The anchor that all of its text belongs to; undefined without text, null when some belongs to another or to none. */
  anchor: object | null | undefined
}

export const pageSurface = (): Surface => ({ parent: null, anchor: null })

/** @returns the surface of an element, which is that around it unless the element has its own */
export function surfaceOf(style: ComputedStyle, around: ComputedStyle, classes: string | undefined, parent: Surface): Surface {
  const isOwn = (style.background !== around.background && isOfButton(style)) || hasButtonClass(classes)
  return isOwn ? { parent, anchor: undefined } : parent
}

/** Sections have lighter backgrounds than a `<button>` without a style. An image, or a color that is not known, is null. */
const isOfButton = ({ background: color, overlaps }: ComputedStyle) => color ? Math.min(...rgb(color)) <= lightest : !overlaps
const rgb = ([red, green, blue]: Color) => [red, green, blue]
const lightest = 0xee

/** Records a text on a surface. @param anchor null for a text outside of anchors */
export function fillSurface(surface: Surface, anchor: object | null): void {
  // those around a surface have all of its text, so they need no change where it needs none
  for (let at: Surface | null = surface; at && at.anchor !== anchor && at.anchor !== null; at = at.parent) {
    at.anchor = at.anchor === undefined ? anchor : null
  }
}
