import { cutText } from './clean-text.ts'
import { readHeaderBlock } from './parse/header-block.ts'
import { LIMITS } from './limits.ts'
import { linksOf } from './extract/links.ts'
import { findCodes } from './extract/codes.ts'
import { emptyMessage } from './parsed-message.ts'
import type { ParsedMessage } from './parsed-message.ts'
import { readContent, readHeader } from './parse/read-content.ts'
import { scanHtml } from './extract/scan-html.ts'

/** Reads a whole message, and finds codes and links, in time linear in its size. An error that it throws is a bug. */
export function readMessage(raw: Buffer): ParsedMessage {
  const { text, html, ...content } = readContent(raw)
  const page = html ? scanHtml(html) : null
  const bodyText = text.trim() || !page ? text : page.text
  return {
    ...content, bodyText, bodyHtml: html,
    codes: codesOf(content.subject, text, page?.text ?? ''),
    links: linksOf(page, bodyText),
  }
}

/** Reads the first 64 kB of a message's header and nothing else. */
export function readHeadersOnly(raw: Buffer, problem: string | null): ParsedMessage {
  const start = raw.subarray(0, LIMITS.headersOnly)
  const end = /\r?\n\r?\n/.exec(start.toString('latin1'))
  const header = readHeader(readHeaderBlock(end ? start.subarray(0, end.index + 1) : start))
  return { ...emptyMessage(''), ...header, problem: [problem, header.problem].filter(Boolean).join(' ') || null }
}

/** Many mails have a text part with less content than the HTML part: codes are looked for there when the text part has none. */
function codesOf(subject: string, text: string, pageText: string): string[] {
  const codes = findCodes(subject, cutText(text, LIMITS.textScanned))
  return codes.length > 0 || !pageText ? codes : findCodes(subject, pageText)
}
