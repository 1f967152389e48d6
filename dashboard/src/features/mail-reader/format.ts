import { locale } from '../../language.ts'

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' })

/** `Monday, March 2, 2026 at 9:30:00 AM`. */
export const formatExact = (at: Date | string): string => exact.format(new Date(at))

const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

/** `Mar 2, 9:30 AM`. */
export const formatShort = (at: Date | string): string => short.format(new Date(at))

/** Characters that are not visible or change the direction of text, except those that choose the form of an emoji. */
const hidden = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Shows hidden characters as escapes, so that `invoice\u202Efdp.exe` does not look like `invoiceexe.pdf`. */
export const showHidden = (text: string): string =>
  text.replaceAll(hidden, (character) => `\\u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)

/** A name of a file for saving a mail. */
export const fileNameOf = (subject: string, id: string): string =>
  `${subject.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '').slice(0, 60) || id}.eml`

/** `10 min`, `1 h 30 min`: a duration in units of which none is 0. */
export const formatValidity = (seconds: number): string => [
  [Math.floor(seconds / 86_400), 'd'], [Math.floor(seconds / 3_600) % 24, 'h'], [Math.floor(seconds / 60) % 60, 'min'], [seconds % 60, 's'],
].filter(([count]) => count !== 0).map(([count, unit]) => `${count} ${unit}`).join(' ')
