import os from 'node:os'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { ParsedMessage } from './parsed-message.ts'
import { readHeadersOnly, readMessage } from './read-message.ts'

/** Several messages, one behind the other in one buffer. */
export interface ParseTask {
  bytes: Uint8Array
  /** Where each message ends. */
  ends: number[]
  headersOnly: boolean
}

/** Runs in the parser's thread. */
export default function parse(task: ParseTask): ParsedMessage[] {
  const messages: ParsedMessage[] = []
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength)
  let start = 0
  for (const end of task.ends) {
    const raw = bytes.subarray(start, end)
    messages.push(task.headersOnly ? readHeadersOnly(raw, null) : readMessage(raw))
    start = end
  }
  return handOver(messages)
}

/** Attachments change threads without being copied. */
function handOver(messages: ParsedMessage[]): ParsedMessage[] {
  const buffers = messages.flatMap(({ attachments }) => attachments.map(({ content }) => content.buffer))
  if (buffers.length === 0) return messages
  const handed: unknown = move({ [transferableSymbol]: buffers, [valueSymbol]: messages })
  return handed as ParsedMessage[]
}

// On Linux, 0 means the calling thread, not the process: the threads that answer HTTP and SMTP go first.
if (process.platform === 'linux') {
  try {
    os.setPriority(0, 5)
  } catch {
    // Some containers forbid it, and mail is parsed all the same.
  }
}
