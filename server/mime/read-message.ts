import { cutText, withoutInvisible } from './clean-text.ts'
import { detailsOf, showsOtherCode } from './extract/code-details.ts'
import { findCodes } from './extract/codes.ts'
import { findLinks } from './extract/links.ts'
import { scanHtml } from './extract/scan-html.ts'
import { mimeLimits } from './limits.ts'
import { declaredCharset, findHeader, readHeaderBlock } from './parse/header-block.ts'
import { readContent, readHeader } from './parse/read-content.ts'
import { emptyMessage } from './parsed-message.ts'
import type { ParsedMessage } from './parsed-message.ts'

/** Reads a whole mail and finds codes and links, in time linear in its size: docs/decisions/0009. An error that it throws is a bug. */
export function readMessage(raw: Buffer): ParsedMessage {
  const { text, html, ...content } = readContent(raw)
  const hasText = /[^\s\p{Cf}\u034f]/u.test(text)
  const subject = withoutInvisible(content.subject)
  const shownText = withoutInvisible(cutText(text, mimeLimits.scannedTextChars))
  const page = html ? scanHtml(html) : null
  const sender = `${content.fromName} ${content.from}`.toLowerCase()
  const ofText = { text: shownText, codes: hasText || !page ? findCodes(subject, shownText, sender) : [] }
  const ofPage = page?.text ? { text: page.text, codes: findCodes(subject, page.text, sender) } : undefined
  const hasOtherCode = ofPage !== undefined && showsOtherCode(ofPage, ofText)
  // many mails have a text part with less content than the HTML part
  const [main, other] = ofPage && ofText.codes.length === 0 ? [ofPage, ofText] : [ofText, hasOtherCode ? undefined : ofPage]
  return {
    ...content,
    bodyText: (hasText && !(page?.text && isPlaceholder(text))) || !page ? text : page.text.replace(/\t/g, ' '),
    bodyHtml: html,
    codes: main.codes,
    codeDetails: detailsOf(main.codes, subject, main.text, other?.text),
    hasOtherCode,
    links: findLinks(page, shownText),
    hiddenText: page?.hasHiddenText === true,
  }
}

/** Whether a text only says to read the page: "Please view this email in an HTML capable client." */
const isPlaceholder = (text: string): boolean => text.length <= maxPlaceholderChars && /(?<![a-z.])html(?![a-z])/i.test(text)
const maxPlaceholderChars = 300

/** Reads only the header of a mail, up to `mimeLimits.headersOnlyBytes`. */
export function readHeadersOnly(raw: Buffer, problem: string | null): ParsedMessage {
  const start = raw.subarray(0, mimeLimits.headersOnlyBytes)
  const block = findHeader(start)
  const header = readHeader(readHeaderBlock(start.subarray(block.start, block.end), () => declaredCharset(start)))
  return { ...emptyMessage(''), ...header, problem: [problem, header.problem].filter(Boolean).join(' ') || null }
}
