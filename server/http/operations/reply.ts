import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { Context } from 'koa'
import type { OperationId } from '../../contract/operations.gen.ts'
import type { Dialect } from '../../dialects/dialects.ts'
import { rateLimited } from '../../errors.ts'
import type { Download, EventStream, NoContent, WithHeaders } from '../handlers/handler.ts'
import type { HttpLimits } from '../limits.ts'

/** The replies that are not the JSON of an answer have these members. */
type OtherReply = Partial<NoContent & WithHeaders<object> & EventStream & Download>

interface ReplyOptions {
  /** Waits for the account's next turn, before each chunk of a file. */
  turn(): Promise<void>
  /** Runs a step of a file or a stream, whose queries are those of the account. */
  inAccount<T>(step: () => T): T
  /** Counts bytes of this reply that are not written yet, in place of those before. @throws AppError `RATE_LIMITED` */
  hold(bytes: number): void
}

/** The reply of a handler in another dialect. @param path the members of the path of the request */
export function replyIn({ toAnswer, toEvents }: Dialect, operationId: OperationId, reply: object, path: Record<string, string>): object {
  const { noContent, json, headers, eventStream, filename } = reply as OtherReply
  if (noContent || filename !== undefined) return reply
  if (eventStream) return { eventStream: eachOf(eventStream, toEvents) }
  return json ? { json: toAnswer(operationId, json, path), headers } : toAnswer(operationId, reply, path)
}

async function* eachOf(texts: AsyncIterable<string>, convert: (text: string) => string) {
  for await (const text of texts) yield convert(text)
}

/** Writes the reply of a handler to the response. */
export async function sendReply(ctx: Context, reply: object, options: ReplyOptions): Promise<void> {
  const { turn, inAccount } = options
  const { noContent, json, headers, eventStream, filename } = reply as OtherReply
  if (headers) ctx.set(headers)
  if (noContent) {
    ctx.status = 204
  } else if (eventStream) {
    ctx.set('Content-Type', 'text/event-stream')
    ctx.set('X-Accel-Buffering', 'no') // a proxy that gathers events would hold them back
    ctx.body = Readable.from(stepsIn(inAccount, eventStream), { objectMode: false })
  } else if (filename !== undefined) {
    const { contentType, size } = reply as Download
    const content = await begin(stepsIn(inAccount, whole(reply as Download, turn)))
    ctx.set('Content-Type', contentType)
    ctx.set('Content-Disposition', contentDisposition(filename))
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('Content-Security-Policy', "sandbox; default-src 'none'")
    ctx.length = size
    ctx.body = Readable.from(content)
  } else {
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8') // Koa would look the type up in a table of all types
    const answer = (json ?? reply) as { data?: object }
    let isLong = false
    for (const value of Object.values(answer.data ?? {})) isLong ||= typeof value === 'string' && value.length > maxPieceLength
    ctx.body = isLong ? await encodeInTurns(answer, options) : answer
  }
}

/** Maximum characters that are encoded at once. */
const maxPieceLength = 256 * 1024

/**
 * The JSON of an answer, encoded in many turns of the account: that of a mail of 25 MB would hold the thread for long.
 * @param answer in which a `Buffer` is a value that is encoded already
 */
export async function encodeInTurns(answer: unknown, { turn, hold }: Pick<ReplyOptions, 'turn' | 'hold'>): Promise<Buffer> {
  const length = lengthOf(answer)
  hold(length)
  const encoded: Buffer[] = []
  let bytes = 0
  let text = ''
  const add = (piece: Buffer) => {
    encoded.push(piece)
    bytes += piece.length
    if (bytes > length) hold(bytes) // a character takes up to six
  }
  const addText = () => {
    if (text !== '') add(Buffer.from(text))
    text = ''
  }
  for (const piece of piecesOf(answer)) {
    if (typeof piece === 'string') {
      text += piece
    } else {
      addText()
      add(piece)
    }
    if (text.length < maxPieceLength) continue
    addText()
    await turn()
  }
  addText()
  hold(0) // the response has them from now on
  return Buffer.concat(encoded)
}

/** The characters of the texts in a value, and the bytes of its buffers. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Buffer) return value.length
  return typeof value === 'object' && value !== null ? Object.values(value).reduce<number>((length, each) => length + lengthOf(each), 0) : 0
}

/** The JSON of a value, in pieces. */
function* piecesOf(value: unknown): Generator<string | Buffer> {
  if (value instanceof Buffer) {
    yield value
  } else if (typeof value === 'string' && value.length > maxPieceLength) {
    yield '"'
    for (let start = 0; start < value.length; start += maxPieceLength) {
      // a pair of surrogates that is cut is written as two escapes, which readers join
      yield JSON.stringify(value.slice(start, start + maxPieceLength)).slice(1, -1)
    }
    yield '"'
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value)
    let before = isList ? '[' : '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined && !isList) continue
      yield isList ? before : `${before}${JSON.stringify(name)}:`
      yield* piecesOf(member)
      before = ','
    }
    yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`
  } else {
    yield JSON.stringify(value ?? null)
  }
}

function stepsIn<Item>(run: ReplyOptions['inAccount'], items: AsyncIterable<Item>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]()
      return { next: () => run(() => iterator.next()), return: (value) => run(() => iterator.return!(value)) }
    },
  }
}

/** Takes the first item before the header of the answer is sent, so that its error has a status. */
async function begin<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const rest = items[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<Item>> | undefined = Promise.resolve(await rest.next())
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const next = first ?? rest.next()
        first = undefined
        return next
      },
      return: (value) => rest.return!(value),
    }),
  }
}

/** Breaks the connection off when the file is deleted meanwhile: its reader would wait for the rest. */
async function* whole({ content, size }: Download, turn: () => Promise<void>) {
  let sent = 0
  await turn()
  for await (const bytes of content) {
    sent += bytes.length
    if (bytes.length > 0) yield bytes
    await turn()
  }
  if (sent < size) throw new Error(`${size - sent} bytes of a file were deleted while it was read`)
}

export interface UnreadReplies {
  /** Counts the unsent bytes of a response until it is closed. */
  follow(accountId: string, res: ServerResponse): void
  /** Counts bytes that the response will have, too. @throws AppError `RATE_LIMITED` */
  hold(accountId: string, res: ServerResponse, bytes: number): void
  /**
   * @throws AppError `RATE_LIMITED` when more than `maxUnreadBytes` of the account's responses are unread; and when more than
   * `maxUnreadBytesInAll` of all accounts are, and those of the account are more than an equal share
   */
  check(accountId: string): void
}

type UnreadLimits = Pick<HttpLimits, 'maxUnreadBytes' | 'maxUnreadBytesInAll'>

/** Limits the memory of responses that callers of an account read slowly or not at all (slow read attack). */
export function unreadReplies({ maxUnreadBytes, maxUnreadBytesInAll }: UnreadLimits): UnreadReplies {
  const replies = new Map<string, Map<ServerResponse, number>>()
  const unreadOf = (open: Map<ServerResponse, number>) => {
    let bytes = 0
    for (const [res, held] of open) if (res.headersSent || held > 0) bytes += res.writableLength + held
    return bytes
  }
  const check = (accountId: string, more = 0) => {
    const open = replies.get(accountId)
    if (more === 0 && (!open || open.size === 1)) return // that of the request, which has not begun
    const own = open ? unreadOf(open) : 0
    if (own > maxUnreadBytes) throw tooMuchUnread(own)
    if (own + more === 0) return // has its share
    const ofOthers = [...replies.values()].filter((each) => each !== open).map(unreadOf).filter((bytes) => bytes > 0)
    const total = ofOthers.reduce((sum, bytes) => sum + bytes, own + more)
    if (total > maxUnreadBytesInAll && own + more > maxUnreadBytesInAll / (ofOthers.length + 1)) throw tooMuchInAll()
  }
  return {
    check,
    follow(accountId, res) {
      const open = replies.get(accountId) ?? new Map<ServerResponse, number>()
      replies.set(accountId, open.set(res, 0))
      res.once('close', () => {
        open.delete(res)
        if (open.size === 0) replies.delete(accountId)
      })
    },
    hold(accountId, res, bytes) {
      const open = replies.get(accountId)
      if (bytes > 0 && !open?.get(res)) check(accountId, bytes) // a reply that has begun goes on
      if (open?.has(res)) open.set(res, bytes)
    },
  }
}

const tooMuchUnread = (bytes: number) =>
  rateLimited(`${Math.ceil(bytes / 2 ** 20)} MiB of answers to this account are not read yet. Read them first.`)

const tooMuchInAll = () => rateLimited('Too many answers to all accounts are not read yet. Read those to this account, or try again later.')
