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

/**
 * Whether a text has others written in characters that no reader sees: in Unicode tags, in variation selectors, of which a character has
 * one, or in a long row of zero-width characters that does not repeat itself, as padding does.
 */
export const hasInvisibleText = (text: string): boolean => mayCarry.test(text) && (/[\u{e0020}-\u{e007e}]/u.test(text.replace(flags, ''))
  || [selectors, zeroWidths].some((rows) => Array.from(text.matchAll(rows), ([row]) => row).some((row) => !repeats(Array.from(row)))))

const mayCarry = /[\udb40\ufe00-\ufe0e]|\ufe0f{4}|[\u180e\u200b-\u200f\u2060-\u2064\ufeff]{16}/
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu
const zeroWidths = /[\u180e\u200b-\u200f\u2060-\u2064\ufeff]{16,}/gu
const maxPeriod = 8

/** Whether a row of characters is one short row, again and again. */
const repeats = (row: string[]): boolean =>
  Array.from({ length: Math.min(maxPeriod, row.length >> 1) }, (_, i) => i + 1)
    .some((period) => row.every((char, i) => i < period || char === row[i - period]))

/** Whether an override of the direction shows letters or digits in another order than they are written in. */
export const hasReorderedText = (text: string): boolean => overrides.test(text)
  && Array.from(text.matchAll(overridden), ([run]) => run).some((run) => run.startsWith('\u202d') ? ofLeftward.test(run) : ofRightward.test(run))

const overrides = /[\u202d\u202e]/
const overridden = /[\u202d\u202e][^\u202c-\u202e\n]{1,200}/g
const leftward = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`
const ofLeftward = new RegExp(`[${leftward}]`, 'u')
/** Digits run rightward in all scripts. */
const ofRightward = new RegExp(String.raw`(?:\p{Nd}|(?![${leftward}])\p{L}).*[\p{L}\p{N}]`, 'u')

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
