import { readFileSync } from 'node:fs'
import type { ParsedAttachment, ParsedMessage } from '../../server/mime/parsed-message.ts'
import { readHtml } from '../../server/mime/parse/html-range.ts'
import type { HtmlRange } from '../../server/mime/parse/html-range.ts'
import { openDecoder } from '../../server/mime/parse/part-decoder.ts'
import { readMessage } from '../../server/mime/read-message.ts'

export function rawOf(name: string): Buffer {
  return readFileSync(new URL(`./corpus/${name}.eml`, import.meta.url))
}

export function read(name: string): ParsedMessage {
  return readMessage(rawOf(name))
}

/** Joins lines to a mail, with CRLF. */
export function message(...lines: string[]): Buffer {
  return Buffer.from(lines.join('\r\n'))
}

export function textOf(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1')
}

/** The content of an attachment, decoded from its range of the source. */
export function contentOf(source: Buffer, { range: { offset, length, encoding }, size }: ParsedAttachment): Buffer {
  const decoder = openDecoder(encoding)
  return Buffer.concat([decoder.push(source.subarray(offset, offset + length)), decoder.end()]).subarray(0, size)
}

/** The file names and contents of the attachments of a mail. */
export function filesOf(source: Buffer): [filename: string, content: string][] {
  return readMessage(source).attachments.map((attachment) => [attachment.filename, textOf(contentOf(source, attachment))])
}

/** An HTML body, read by its range of the source. */
export const htmlIn = (source: Buffer, range: HtmlRange): string =>
  readHtml(source.subarray(range.offset, range.offset + range.length), range)
