/** Removes NULs and replaces lone surrogates, so that SQLite and JSON keep the string as it is. */
export function cleanText(text: string): string {
  return withoutNuls(text.toWellFormed())
}

/** The same for text that was decoded from bytes, which has no lone surrogates: it only removes NUL characters. */
export function withoutNuls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/**
 * Removes characters that show nothing: zero-width spaces, soft hyphens and Unicode tags, except those of a flag. Joiners and marks of the
 * direction stay between letters and emoji that need them; beside ASCII letters and digits they only split codes and URLs.
 */
export function withoutInvisible(text: string): string {
  return invisible.test(text) ? text.replace(neverShown, '$1').replace(besideAscii, '') : text
}

/** Whether a text has others written in Unicode tags, which no reader sees. */
export const hasTags = (text: string): boolean => text.includes('\udb40') && /[\u{e0020}-\u{e007e}]/u.test(text.replace(flags, ''))

const invisible = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\udb40]/
/** A black flag with the tags of a region (UTS 51, section 1.4.9). */
const flag = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`
const flags = new RegExp(flag, 'gu')
const neverShown = new RegExp(String.raw`(${flag})|[\u00ad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\u{e0000}-\u{e007f}]+`, 'gu')
const joiners = String.raw`[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069]`
const besideAscii = new RegExp(`(?<=[\\da-zA-Z])${joiners}+|(?<!${joiners})${joiners}+(?=[\\da-zA-Z])`, 'g')

/** Cuts a text to at most `maxUnits` UTF-16 units, never within a surrogate pair. */
export function cutText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const last = text.charCodeAt(maxUnits - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxUnits - 1 : maxUnits)
}
