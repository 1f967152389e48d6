import { base64Size } from './base64.ts'
import { decodeTransfer, transferEncoding } from './transfer-encoding.ts'
import type { TransferEncoding } from './transfer-encoding.ts'
import { findUuencoded } from './uuencode.ts'

/**
 * Where the encoded bytes of a part stand in the source of its mail (docs/decisions/0013). Of uuencode these are the lines between "begin"
 * and "end".
 */
export interface PartRange {
  /** Bytes before it. */
  offset: number
  /** In bytes. */
  length: number
  encoding: TransferEncoding
}

/**
 * @param body shares memory with `source`
 * @param name of the encoding, in lower case
 * @returns the range, and the number of bytes that it decodes to
 */
export function measurePart(source: Buffer, body: Buffer, name: string): { range: PartRange, size: number } {
  const encoding = transferEncoding(name)
  const offset = offsetIn(source, body)
  if (encoding === 'uuencode') {
    const lines = findUuencoded(body)
    return lines
      ? { range: { offset: offset + lines.start, length: lines.end - lines.start, encoding }, size: lines.size }
      : { range: { offset, length: body.length, encoding: 'identity' }, size: body.length }
  }
  const size = encoding === 'base64' ? base64Size(body) : decodeTransfer(body, name).length
  return { range: { offset, length: body.length, encoding }, size }
}

/** @param body shares memory with `source` */
export const offsetIn = (source: Buffer, body: Buffer): number => body.byteOffset - source.byteOffset
