import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError, bodyTooLarge, invalidInput, unsupportedMediaType } from '../../errors.ts'
import { invalidMembers, isEscaped } from './validation.ts'

/** Maximum bytes of a body, after decompression. */
const maxBytes = 1024 * 1024

/** By operation, another maximum: attachments in base64 beside the texts. */
const maxBytesBy: { [Id in OperationId]?: number } = { 'emails.send': 15 * 1024 * 1024 }
export const maxBytesOf = (operationId: OperationId): number => maxBytesBy[operationId] ?? maxBytes

/** Maximum nesting depth of arrays and objects. */
const maxDepth = 32
/** Maximum members and array items of a whole body; limits the cost of parsing and validation. */
const maxValues = 1_000

/**
 * Maximum bytes of a request's JSON body, from its headers.
 * @returns undefined when there is no body
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`
 */
export function sizeOfBody(ctx: Context, max = maxBytes): number | undefined {
  const type = ctx.request.is('application/json')
  const { length } = ctx.request
  if (type === null || (!ctx.get('transfer-encoding') && length === 0)) return undefined
  if (type === false) throw unsupportedMediaType('The body has to be JSON. Send "Content-Type: application/json".')
  if (!/^(?:utf-?8|us-ascii)?$/i.test(ctx.request.charset)) {
    throw unsupportedMediaType('The body has to be UTF-8. Send "Content-Type: application/json", without another charset.')
  }
  if (length === undefined || ctx.get('content-encoding')) return max
  if (length > max) throw bodyTooLarge(max)
  return length
}

/**
 * Reads the text of a JSON body. Stops at the first chunk that exceeds a limit (docs/decisions/0003).
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INVALID_REQUEST` above `maxDepth` or `maxValues`, or if not UTF-8
 */
export async function readBody(ctx: Context, max = maxBytes): Promise<string> {
  const bytes = await (ctx.get('content-encoding') ? readPacked(ctx, max) : readPlain(ctx.req, max))
  // TextDecoder would replace malformed bytes by U+FFFD without an error
  if (!isUtf8(bytes)) throw invalid('is not UTF-8')
  return new TextDecoder().decode(bytes)
}

/** Compressed bodies are rare, and their parser loads 30 modules: it is loaded with the first of them. */
const unpacking = new Map<number, Promise<Middleware>>()

async function openUnpacker(max: number): Promise<Middleware> {
  const { bodyParser } = await import('@koa/bodyparser')
  return bodyParser({
    enableTypes: ['text'],
    textLimit: String(max),
    extendTypes: { text: ['application/json'] },
    encoding: 'binary', // a character for each byte
    onError(error, ctx) {
      // the unread rest of the body would block the next request of this connection
      ctx.req.unpipe()
      ctx.req.resume()
      const { type, status } = error as Error & { type?: string, status?: number }
      if (type === 'entity.too.large') throw bodyTooLarge(max)
      if (status === 415) {
        throw unsupportedMediaType('The body has an encoding that is not supported. Send plain UTF-8.')
      }
      throw notJson()
    },
  })
}

async function readPacked(ctx: Context, max: number): Promise<Buffer> {
  const opening = unpacking.get(max) ?? openUnpacker(max)
  unpacking.set(max, opening)
  const unpack = await opening
  await unpack(ctx, async () => {})
  const bytes = Buffer.from(String(ctx.request.body), 'latin1')
  shapeCheck()(bytes)
  return bytes
}

/** By the events of the request: an iterator costs more than the other steps of a small body together. */
function readPlain(req: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const check = shapeCheck()
  let bytes = 0
  return new Promise((resolve, reject) => {
    const stopListening = () => req.off('data', readChunk).off('end', finish).off('error', fail).off('close', fail)
    const finish = () => {
      stopListening()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    }
    const fail = (error?: unknown) => {
      stopListening().resume() // the unread rest of the body would block the next request of this connection
      reject(error instanceof AppError ? error : notJson())
    }
    const readChunk = (chunk: Buffer) => {
      try {
        bytes += chunk.length
        if (bytes > max) throw bodyTooLarge(max)
        check(chunk)
        chunks.push(chunk)
      } catch (error) {
        fail(error)
      }
    }
    if (req.closed) fail()
    else req.on('data', readChunk).once('end', finish).once('error', fail).once('close', fail)
  })
}

/** @throws AppError `INVALID_REQUEST` unless the text is a JSON object or list */
export function parseBody(text: string): unknown {
  if (text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson()
  }
  if (typeof value !== 'object' || value === null) throw notJson()
  const repeated = repeatedMember(text)
  if (repeated !== undefined) throw invalidMembers([{ path: repeated, message: 'is there more than once; leave out all but one' }])
  return value
}

/**
 * Finds a member that an object has twice: JSON.parse takes the last one, and a proxy may have read the first.
 * @param text valid JSON @returns the path of the member; undefined without one
 */
function repeatedMember(text: string): string | undefined {
  /** The objects and lists around a value; `names` is undefined for a list, `member` the name or index of the value. */
  const open: { path: string, names: Set<string> | undefined, member: string | number }[] = []
  const enter = (names: Set<string> | undefined) => {
    const parent = open.at(-1)
    open.push({ path: parent ? `${parent.path}.${parent.member}` : 'body', names, member: 0 })
  }
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    const inner = open.at(-1)
    if (character === '"') {
      const start = at
      do at = text.indexOf('"', at + 1); while (isEscaped(text, at))
      if (!isName) continue
      const name = JSON.parse(text.slice(start, at + 1)) as string
      if (inner!.names!.has(name)) return `${inner!.path}.${name}`
      inner!.names!.add(inner!.member = name)
    } else if (character === '{' || character === '[') enter(character === '{' ? new Set() : undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === ',' && !inner!.names) (inner!.member as number)++
    if ('{,'.includes(character!)) isName = open.at(-1)!.names !== undefined
    else if ('[:'.includes(character!)) isName = false
  }
  return undefined
}

/**
 * Counts nesting and values before the text is parsed. Works on any text, valid JSON or not.
 * @returns a function that checks the next chunk of the text
 */
function shapeCheck(): (bytes: Uint8Array) => void {
  let depth = 0
  let values = 0
  let isInString = false
  let isEscaped = false
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) { // by an index: an iterator takes several times as long
      if (isEscaped) isEscaped = false
      else if (isInString) {
        while (at < bytes.length && bytes[at] !== quote && bytes[at] !== backslash) at++
        isEscaped = bytes[at] === backslash
        isInString = bytes[at] !== quote
      } else {
        const byte = bytes[at]
        if (byte === quote) isInString = true
        else if (byte === comma) values++
        else if (byte === openBracket || byte === openBrace) {
          values++
          depth++
        } else if (byte === closeBracket || byte === closeBrace) depth--
        if (depth > maxDepth) throw invalid(`nests deeper than ${maxDepth} levels`)
        if (values > maxValues) throw invalid(`has more than ${maxValues} values`)
      }
    }
  }
}

// in UTF-8, ASCII bytes never occur within another character
const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,[]{}') as unknown as
  [number, number, number, number, number, number, number]

const notJson = () => invalid('is not JSON, or not an object')

function invalid(message: string) {
  return invalidInput(`body ${message}.`, [{ path: 'body', message }])
}
