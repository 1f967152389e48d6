import { isUtf8 } from 'node:buffer'
import type { Context } from 'koa'
import { AppError, bodyTooLarge } from '../../server/errors.ts'
import { undecodableQuery } from '../../server/http/value-checks.ts'
import { invalidMembers } from '../../server/http/invalid-members.ts'
import type { MockReply } from './load-prism.ts'

/** @throws AppError `INVALID_REQUEST` for a path or query that cannot be decoded, which Prism does not handle */
export function checkTarget({ path, querystring }: Context): void {
  try {
    decodeURIComponent(path)
  } catch {
    throw refusal([{ path: ['path'], message: 'is not UTF-8 in percent-encoding' }])
  }
  const [fault] = undecodableQuery(querystring)
  if (fault) throw refusal([{ path: [fault.path], message: fault.message }])
}

/** As on the server. */
const maxBodyBytes = 1024 * 1024

/** @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST` when it is not UTF-8, or not JSON although its type says so */
export async function readBody(ctx: Context): Promise<unknown> {
  const bytes = await readBytes(ctx.req)
  if (!bytes) throw bodyTooLarge()
  if (bytes.length === 0) return null // Prism's value for no body
  if (!isUtf8(bytes)) throw refusal([{ path: ['body'], message: 'is not UTF-8' }])
  if (!ctx.is('application/json')) return bytes.toString()
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    throw refusal([{ path: ['body'], message: 'is not JSON' }])
  }
}

/**
 * Reads a body to its end, since clients may not read an answer before that, and keeps at most `maxBodyBytes`.
 * @returns undefined for a longer body
 */
async function readBytes(source: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks)
}

/** An `INVALID_REQUEST` with the violations of this request, which no example can list. */
export function refusal(faults: Pick<MockReply['faults'][number], 'path' | 'message'>[]): AppError {
  return invalidMembers(faults.map(({ path = ['body'], message }) => ({ path: path.join('.'), message: message.replace(pathInWords, '') })))
}

/** The beginning of Prism's messages, which repeats the path. */
const pathInWords = /^(?:Request (?:\w+ parameter|body)(?: property)?|Body parameter) (?:\S+ )?(?=(?:must|should|is) )/
