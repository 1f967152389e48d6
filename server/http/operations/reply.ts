import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { Context } from 'koa'
import { rateLimited } from '../../errors.ts'
import type { Download, EventStream, NoContent, WithHeaders } from '../handlers/handler.ts'

/** The replies that are not the JSON of an answer have these members. */
type OtherReply = Partial<NoContent & WithHeaders<object> & EventStream & Download>

interface ReplyOptions {
  /** Waits for the account's next turn, before each chunk of a file. */
  turn(): Promise<void>
  /** Runs a step of a file or a stream, whose queries are those of the account. */
  inAccount<T>(step: () => T): T
}

/** Writes the reply of a handler to the response. */
export function sendReply(ctx: Context, reply: object, { turn, inAccount }: ReplyOptions) {
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
    ctx.set('Content-Type', contentType)
    ctx.set('Content-Disposition', contentDisposition(filename))
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.set('Content-Security-Policy', "sandbox; default-src 'none'")
    ctx.length = size
    ctx.body = Readable.from(stepsIn(inAccount, whole(reply as Download, turn)))
  } else {
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8') // Koa would look the type up in a table of all types
    ctx.body = json ?? reply
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
  /** @throws AppError `RATE_LIMITED` when more than `maxBytes` of the account's responses are unread */
  check(accountId: string): void
}

/** Limits the memory of responses that callers of an account read slowly or not at all (slow read attack). */
export function unreadReplies(maxBytes: number): UnreadReplies {
  const replies = new Map<string, Set<ServerResponse>>()
  return {
    follow(accountId, res) {
      const open = replies.get(accountId) ?? new Set()
      replies.set(accountId, open.add(res))
      res.once('close', () => {
        open.delete(res)
        if (open.size === 0) replies.delete(accountId)
      })
    },
    check(accountId) {
      let bytes = 0
      for (const { writableLength } of replies.get(accountId) ?? []) bytes += writableLength
      if (bytes > maxBytes) throw tooMuchUnread(bytes)
    },
  }
}

const tooMuchUnread = (bytes: number) =>
  rateLimited(`${Math.ceil(bytes / 2 ** 20)} MiB of answers to this account are not read yet. Read them first.`)
