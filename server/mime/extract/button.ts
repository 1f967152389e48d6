import { GREATER, isSpace, SLASH } from './html-tags.ts'
import type { Attributes } from './html-tags.ts'

/** Signs by which an anchor is a button: its role, its class, its style, and the cell around it. */

const background = String.raw`background(?:-color)?\s?:\s?(?!#fff(?:fff)?\b|white|transparent|none|inherit|initial)`
const buttonStyle = new RegExp(`${background}|border-radius|border\\s?:\\s?[1-9]`, 'i')
const buttonClass = String.raw`\b(?:btn|button|cta)`
const buttonClasses = new RegExp(buttonClass, 'i')

/** Whether an anchor itself has such a sign. */
export function isButton({ role, class: classes, style }: Attributes): boolean {
  return role?.toLowerCase() === 'button'
    || (classes !== undefined && buttonClasses.test(classes.slice(0, 500)))
    || (style !== undefined && isButtonStyle(style.slice(0, 1_000)))
}

const isButtonStyle = (style: string) => buttonStyle.test(style) || (/padding/i.test(style) && /display\s?:\s?(?:inline-)?block/i.test(style))

/** Whether the tags before an anchor open a cell with a background: `<td bgcolor="#06c"><a>`. */
export function isInButton(source: string, anchor: number): boolean {
  let at = anchor
  for (let count = 0; count < 2; count++) {
    const end = endBeforeSpace(source, at)
    if (source.charCodeAt(end - 1) !== GREATER) return false
    const tag = source.slice(Math.max(0, end - maxTagChars), end)
    const start = tag.lastIndexOf('<')
    if (start < 0 || tag.charCodeAt(start + 1) === SLASH) return false
    if (buttonTag.test(tag.slice(start))) return true
    at = end - tag.length + start
  }
  return false
}

function endBeforeSpace(source: string, from: number): number {
  let at = from
  while (from - at < maxTagChars && isSpace(source.charCodeAt(at - 1))) at--
  return at
}

const maxTagChars = 600
const buttonTag = new RegExp(String.raw`^<(?:td|th|div|p|span|center)\s[^]{0,500}?(?:bgcolor\s?=\s?["']?(?!#fff(?:fff)?\b|white)|${background}|class=["'][^"']{0,100}${buttonClass})`, 'i')
