import { readFileSync } from 'node:fs'
import type { ParsedMessage } from '../../server/mime/parsed-message.ts'
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
