import { mimeLimits } from './limits.ts'
import { declaredCharset, findHeader, readHeaderBlock } from './parse/header-block.ts'
import { readHeader } from './parse/read-content.ts'
import { emptyMessage } from './parsed-message.ts'
import type { ParsedMessage } from './parsed-message.ts'

/** Reads only the header of a mail, up to `mimeLimits.headersOnlyBytes`. */
export function readHeadersOnly(raw: Buffer, problem: string | null): ParsedMessage {
  const start = raw.subarray(0, mimeLimits.headersOnlyBytes)
  const block = findHeader(start)
  const header = readHeader(readHeaderBlock(start.subarray(block.start, block.end), () => declaredCharset(start)))
  return { ...emptyMessage(''), ...header, problem: [problem, header.problem].filter(Boolean).join(' ') || null }
}
