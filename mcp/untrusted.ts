import { untrustedNotice } from './catalog.ts'

/** Line ends, of Unicode too: a mail must not begin a line without the mark. */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
/**
 * Control characters except white space, and characters without a visible shape (Unicode tags, bidi overrides): a model reads texts that
 * are written in them, and the order of a text before an override. A joiner or a variation selector stays behind a letter or an emoji
 * beyond ASCII.
 */
const unseen = /((?<=[^\p{ASCII}\p{DI}])(?:\ufe0f?\u200d|[\u200c\ufe0e\ufe0f])(?!\p{DI}))|(?![\t\n\r])\p{Cc}|\p{DI}/gu

/** A text without what only a program reads. */
export const withoutUnseen = (text: string): string => text.replace(unseen, '$1')

/** Texts of mail, marked line by line, so that nothing in them can end the mark. */
export function markUntrusted(texts: string): string {
  const lines = texts.split(lineEnd).map((line) => `| ${withoutUnseen(line)}`)
  return [untrustedNotice, ...lines].join('\n')
}
