import { Readable } from 'node:stream'
import Router from '@koa/router'
import { create as contentDisposition } from 'content-disposition'
import type { Context, Middleware } from 'koa'
import type { App } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import { onAbort } from '../on-abort.ts'
import { withReserve } from '../store/database.ts'
import { auditTrail } from './audit.ts'
import type { RecordOfChange } from './audit.ts'
import { handlers } from './handlers/index.ts'
import type { Change, Download, EventStream, NoContent, Read, WithHeaders } from './handlers/handler.ts'
import type { FairShare } from './fair-share.ts'
import { faultsOnDemand } from './faults.ts'
import { openIdempotency } from './idempotency.ts'
import { admit, identify } from './identify.ts'
import { bodyMemory } from './body-memory.ts'
import { parseBody, readBody, sizeOfBody } from './json-body.ts'
import type { HttpLimits } from './limits.ts'
import { rateLimit } from './rate-limit.ts'
import { unreadAnswers } from './unread-answers.ts'
import type { Validation } from './validation.ts'

export interface ApiRouter {
  middleware: Middleware
  /** Writes waiting audit records, except those that still count calls. */
  flush(): Promise<unknown>
  /** Waits for the requests in progress, then writes all waiting audit records. */
  close(): Promise<unknown>
}

/** Every operation of the document on its path: match, authenticate, limit, check scope, wait for its turn, validate, dispatch. */
export function apiRouter(
  app: App, validation: Validation, { limits, share }: { limits: HttpLimits, share: FairShare },
): ApiRouter {
  const router = new Router({ sensitive: true })
  const bodies = bodyMemory(limits)
  const unread = unreadAnswers(limits.unreadBytes)
  const limit = rateLimit(app)
  const askedFault = faultsOnDemand()
  const audit = auditTrail(app)
  const carryOutOnce = openIdempotency(app)

  async function callerOf(ctx: Context) {
    try {
      const caller = await identify(app, ctx)
      ctx.state['accountId'] = caller?.accountId
      return caller
    } catch (error) {
      limit(ctx, undefined)
      throw error
    }
  }

  for (const operationId of inOrder(Object.keys(operations) as OperationId[])) {
    const { method, path, scope, status } = operations[operationId]
    const operation = handlers[operationId] as Read<'addresses.create'> | Change<'addresses.create'>
    const target = method === 'delete' ? { ...app, db: withReserve(app.db) } : app
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], async (ctx) => {
      ctx.state['operationId'] = operationId
      ctx.set('Cache-Control', 'no-store')
      const caller = await callerOf(ctx)
      if (!caller) {
        limit(ctx, undefined)
        return admit(undefined, scope)
      }
      share.identify(ctx.req.socket, caller.accountId)
      unread.follow(caller.accountId, ctx.res)
      const gone = () => (ctx.state['gone'] ??= goneSignal(app, ctx)) as AbortSignal
      const answer = async (recordOfChange: RecordOfChange) => {
        limit(ctx, caller)
        admit(caller, scope)
        const bodyBytes = validation.takesBody(operationId) ? sizeOfBody(ctx) : undefined
        const release = bodyBytes === undefined ? undefined : await bodies.take(caller.accountId, bodyBytes)
        let endShare = () => {}
        try {
          const text = release && await readBody(ctx)
          await askedFault(ctx, caller, gone)
          endShare = await share.begin(caller.accountId)
          const body = parseBody(text)
          const parts = validation.request(operationId, ctx, body) as { path: never, query: never }
          const request = {
            caller, ...parts, body: (body ?? {}), headers: ctx.req.headers, flushAudit: audit.flush,
            get gone() {
              endShare() // the handler is about to wait
              return gone()
            },
            async admitAgain() {
              await share.resume(caller.accountId)
              admit(await identify(app, ctx), scope)
            },
          }
          unread.check(caller.accountId)
          const reply = typeof operation === 'function'
            ? await operation(app, request)
            : await carryOutOnce(ctx, caller, { operationId, ...parts, body }, {
              carryOut: (keyOf) => operation.carryOut(target, request, {
                recordsOf: (answer) => ({ audit: recordOfChange.of(answer), key: keyOf?.(answer) }),
                done: recordOfChange.done,
              }),
              repeat: (answer) => operation.repeat(app, request, answer),
            })
          ctx.status = status
          send(ctx, reply, () => share.resume(caller.accountId))
          return reply
        } finally {
          endShare()
          if (release) whenRead(ctx.req, release)
        }
      }
      await audit.follow(ctx, { caller, action: operationId }, answer)
    })
  }
  // HEAD is not in the document, though the router adds it to every GET
  for (const layer of router.stack) layer.methods = layer.methods.filter((method) => method !== 'HEAD')

  const dispatch = router.routes() as unknown as Middleware
  return {
    flush: audit.flush,
    async close() {
      await share.idle()
      await new Promise(setImmediate) // in this turn the last request adds its audit record
      await audit.close()
    },
    middleware: (ctx) => dispatch(ctx, async () => {
      limit(ctx, await callerOf(ctx))
      throw unmatched(router, ctx)
    }),
  }
}

/** A path with a name in a place goes before one that takes anything there. */
const inOrder = (ids: OperationId[]) =>
  ids.toSorted((a, b) => Number(operations[a].path.includes('{')) - Number(operations[b].path.includes('{')))

/** Calls back when a request is read to its end, or closed. Reading the rest of a refused body costs as much as reading an accepted one. */
function whenRead(req: Context['req'], done: () => void) {
  if (req.complete || req.closed) done()
  else req.once('close', done)
}

/** Aborted when the caller goes away or the server closes. */
function goneSignal(app: App, { req, res }: Context): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort()
  const stopListening = onAbort(app.closing, abort)
  const end = () => {
    stopListening()
    abort()
  }
  if (res.closed || req.socket.destroyed) end()
  else res.once('close', end)
  return gone.signal
}

/** @param turn waits for the account's next turn, before each chunk of a file */
function send(ctx: Context, reply: object, turn: () => Promise<void>) {
  if (isNoContent(reply)) {
    ctx.set(reply.headers)
    ctx.status = 204
    return
  }
  if (isWithHeaders(reply)) {
    ctx.set(reply.headers)
    ctx.body = reply.json
    return
  }
  if (isEventStream(reply)) {
    ctx.set('Content-Type', 'text/event-stream')
    ctx.set('X-Accel-Buffering', 'no') // a proxy that gathers events would hold them back
    ctx.body = Readable.from(reply.eventStream, { objectMode: false })
    return
  }
  if (!isDownload(reply)) {
    ctx.body = reply
    return
  }
  ctx.set('Content-Type', reply.contentType)
  ctx.set('Content-Disposition', contentDisposition(reply.filename))
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'")
  ctx.length = reply.size
  ctx.body = Readable.from(whole(reply, turn))
}

/** Breaks the connection off when the file is deleted meanwhile: its reader would wait for the rest. */
async function* whole({ content, size }: Download, turn: () => Promise<void>) {
  let sent = 0
  await turn()
  for await (const bytes of content) {
    sent += bytes.length
    yield bytes
    await turn()
  }
  if (sent < size) throw new Error(`${size - sent} bytes of a file were deleted while it was read`)
}

const isNoContent = (reply: object): reply is NoContent => 'noContent' in reply
const isWithHeaders = (reply: object): reply is WithHeaders<object> => 'json' in reply && 'headers' in reply
const isEventStream = (reply: object): reply is EventStream => 'eventStream' in reply
const isDownload = (reply: object): reply is Download => 'content' in reply && 'filename' in reply

function unmatched(router: Router, ctx: Context) {
  const { path } = router.match(ctx.path, ctx.method)
  const allowed = [...new Set(path.flatMap((layer) => layer.methods))]
  if (allowed.length === 0) return new AppError('NOT_FOUND', 'There is nothing at this path. /docs describes what there is.')
  ctx.set('Allow', allowed.join(', '))
  return new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}.`)
}
