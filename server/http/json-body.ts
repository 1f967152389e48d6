import { bodyParser } from '@koa/bodyparser'
import type { Context } from 'koa'
import { AppError } from '../errors.ts'

/** Bytes of a body, unpacked. */
const maxBytes = 1_048_576
/** Levels of lists and objects within each other. */
const maxDepth = 32
/** Members and list items of a whole body: bounds what parsing and checking it costs. */
const maxValues = 1_000

const readText = bodyParser({
  enableTypes: ['text'],
  textLimit: String(maxBytes),
  extendTypes: { text: ['application/json'] },
  onError(error, ctx) {
    // what is left of the body would block the next request of this connection
    ctx.req.unpipe()
    ctx.req.resume()
    const { type, status } = error as Error & { type?: string, status?: number }
    if (type === 'entity.too.large') throw tooLarge()
    if (status === 415) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body has an encoding that is not supported. Send plain UTF-8.')
    }
    throw notJson()
  },
})

/**
 * Bytes of memory that a JSON body may take, by its header.
 * @returns undefined when there is none
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`
 */
export function sizeOfBody(ctx: Context): number | undefined {
  const type = ctx.request.is('application/json')
  const { length } = ctx.request
  if (type === null || (!ctx.get('transfer-encoding') && length === 0)) return undefined
  if (type === false) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be JSON. Send "Content-Type: application/json".')
  if (length === undefined || ctx.get('content-encoding')) return maxBytes
  if (length > maxBytes) throw tooLarge()
  return length
}

/** Reads the text of a JSON body. @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` */
export async function readBody(ctx: Context): Promise<string> {
  await readText(ctx, async () => {})
  return String(ctx.request.body)
}

/** @throws AppError `INVALID_REQUEST` unless the text is a JSON object or list of a limited shape */
export function parseBody(text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (text === '') return {}
  checkShape(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson()
  }
  if (typeof value !== 'object' || value === null) throw notJson()
  return value
}

/** Counts levels and values in one pass, before anything is made of them. The text need not be JSON. */
function checkShape(text: string) {
  let depth = 0
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') i = endOfString(text, i)
    else if (character === ',') values++
    else if (character === '[' || character === '{') {
      values++
      depth++
    } else if (character === ']' || character === '}') depth--
    if (depth > maxDepth) throw invalid(`nests deeper than ${maxDepth} levels`)
    if (values > maxValues) throw invalid(`has more than ${maxValues} values`)
  }
}

/** @param start of the opening quote */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i
}

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')

const notJson = () => invalid('is not JSON, or not an object')

function invalid(message: string) {
  return new AppError('INVALID_REQUEST', `body ${message}.`, [{ path: 'body', message }])
}
