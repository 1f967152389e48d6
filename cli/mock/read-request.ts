import { isUtf8 } from 'node:buffer'
import type { Context } from 'koa'
import { AppError } from '../../server/errors.ts'
import { undecodableQuery } from '../../server/http/text-check.ts'
import type { MockReply } from './load-prism.ts'

/** @throws AppError `INVALID_REQUEST` for one that Prism could not take apart */
export function checkTarget({ path, querystring }: Context): void {
  try {
    decodeURIComponent(path)
  } catch {
    throw refusal([{ path: ['path'], message: 'is not UTF-8 in percent-encoding' }])
  }
  const [fault] = undecodableQuery(querystring)
  if (fault) throw refusal([{ path: [fault.path], message: fault.message }])
}

/** Bytes of a body at most, as on the server. */
const bodyLimit = 1024 * 1024

/** @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST` when it is not UTF-8, or not JSON though it says so */
export async function readBody(ctx: Context): Promise<unknown> {
  const bytes = await readBytes(ctx.req)
  if (!bytes) throw new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')
  if (bytes.length === 0) return null // what Prism takes for none
  if (!isUtf8(bytes)) throw refusal([{ path: ['body'], message: 'is not UTF-8' }])
  if (!ctx.is('application/json')) return bytes.toString()
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    throw refusal([{ path: ['body'], message: 'is not JSON' }])
  }
}

/** Reads all, and keeps no more than may come. @returns undefined when it was more */
async function readBytes(source: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
  }
  return size > bodyLimit ? undefined : Buffer.concat(chunks)
}

/** What the document's example of a refusal cannot know: what is wrong with this very request. */
export function refusal(faults: Pick<MockReply['faults'][number], 'path' | 'message'>[]): AppError {
  const details = faults.map(({ path = ['body'], message }) => ({ path: path.join('.'), message: message.replace(whereItIs, '') }))
  const sentence = details.map((detail) => `${detail.path} ${detail.message}`).join('; ')
  return new AppError('INVALID_REQUEST', `The request is not valid: ${sentence}.`, details)
}

/** Prism's messages begin with what their path says. */
const whereItIs = /^(?:Request (?:\w+ parameter|body)(?: property)?|Body parameter) (?:\S+ )?(?=(?:must|should|is) )/
