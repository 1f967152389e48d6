import { untrustedNotice } from './catalog.ts'

/** Line ends, of Unicode too: a mail must not begin a line without the mark. */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
/** Control characters except the tab, and Unicode tags, which a person does not see. */
const unseen = /(?!\t)\p{Cc}|[\u{e0000}-\u{e007f}]/gu

/** Texts of mail, marked line by line, so that nothing in them can end the mark. */
export function markUntrusted(texts: string): string {
  const lines = texts.split(lineEnd).map((line) => `| ${line.replaceAll(unseen, '')}`)
  return [untrustedNotice, ...lines].join('\n')
}
