import { cutText } from './clean-text.ts'
import { findCodes } from './extract/codes.ts'
import { findLinks } from './extract/links.ts'
import { scanHtml } from './extract/scan-html.ts'
import { mimeLimits } from './limits.ts'
import { readContent } from './parse/read-content.ts'
import type { ParsedMessage } from './parsed-message.ts'

/** Reads a whole mail and finds codes and links, in time linear in its size. An error that it throws is a bug. */
export function readMessage(raw: Buffer): ParsedMessage {
  const { text, html, ...content } = readContent(raw)
  const page = html ? scanHtml(html) : null
  const bodyText = text.trim() || !page ? text : page.text
  return {
    ...content, bodyText, bodyHtml: html,
    codes: codesOf(content.subject, text, page?.text ?? ''),
    links: findLinks(page, bodyText),
  }
}

/** Many mails have a text part with less content than the HTML part, so codes are searched in the HTML when the text has none. */
function codesOf(subject: string, text: string, pageText: string): string[] {
  const codes = findCodes(subject, cutText(text, mimeLimits.scannedTextChars))
  return codes.length > 0 || !pageText ? codes : findCodes(subject, pageText)
}
