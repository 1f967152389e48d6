import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Caller } from '../../server/context.ts'
import { document } from '../../server/contract/document.ts'
import type { ErrorBody } from '../../server/contract/types.gen.ts'
import { faultsOnDemand, pause } from '../../server/http/faults.ts'
import { onAbort } from '../../server/on-abort.ts'
import { exampleFor } from './example-for.ts'
import { exampleThings } from './examples.ts'
import { fitBody, fitError } from './fit-body.ts'
import { fitHeaders, resetAt } from './fit-headers.ts'
import type { AskPrism } from './load-prism.ts'
import type { MockRequest } from './mock-request.ts'
import { findOperation } from './operations.ts'
import type { MockOperation } from './operations.ts'
import { choose, readPrefer } from './preference.ts'
import type { Wish } from './preference.ts'
import { cursorOfExamples, moveEvents, moveTimes, presentShift } from './present.ts'
import { checkTarget, readBody, refusal } from './read-request.ts'
import { repeatedRequests } from './repeated.ts'

interface Parts {
  prism: AskPrism
  operations: MockOperation[]
  /** What a request without a header `Prefer` is taken to prefer. */
  prefer: string
  now: () => number
  closing: AbortSignal
}

/** Answers every request with an example, in the present and in agreement with the request. */
export function answerFrom({ prism, operations, prefer, now, closing }: Parts): Middleware {
  const everything = operations.flatMap(({ answers }) => answers)
  const things = exampleThings(document)
  const shiftMs = presentShift(now)
  const askedFault = faultsOnDemand()
  const isRepeated = repeatedRequests()

  function bodyOf(example: unknown, request: MockRequest): unknown {
    if (example === undefined) return null
    if (isErrorBody(example)) return fitError(example, request)
    const fitted = fitBody(example, request, things)
    if (request.operationId === 'events.stream') return moveEvents(fitted as string, shiftMs())
    return typeof fitted === 'string' ? fitted : moveTimes(fitted, shiftMs())
  }

  return async (ctx) => {
    const nowMs = now()
    setCommonHeaders(ctx, nowMs)
    const { operationId, method, answers, parts } = findOperation(operations, ctx)
    checkTarget(ctx)
    const body = await readBody(ctx)
    const caller = callerOf(ctx)
    const gone = () => goneSignal(ctx, closing)
    if (caller) await askedFault(ctx, caller, gone)

    const wish = readPrefer(ctx.get('prefer') || prefer)
    const preferred = choose(answers, wish, everything)
    const isNamed = preferred.example !== undefined && wish.example !== undefined
    const query = textsOf(ctx.query)
    const after = cursorOfExamples(query['after'] ?? '', shiftMs())
    const request = {
      operationId, path: parts, query, after, body, headers: ctx.headers, isNamed, isReplay: false, nowMs,
    } as unknown as MockRequest
    const wanted = preferred.status === undefined ? exampleFor(request, things) : preferred
    const url = { path: ctx.path, query: ctx.query as Record<string, string> }
    const { reply, faults } = await prism({ method, url, headers: ctx.headers as Record<string, string>, body }, wanted)
    if (faults.length > 0 && reply.statusCode === 400) throw refusal(faults)

    const { statusCode } = reply
    if (statusCode === preferred.status) ctx.set('Preference-Applied', written(wish))
    else if (statusCode === 204) await pause(secondsOf(request) * 1000, gone())
    const isReplay = statusCode < 300 && caller !== undefined && isRepeated(request, caller)
    if (isReplay) ctx.set('Idempotency-Replayed', 'true')
    ctx.set(fitHeaders({ statusCode, headers: reply.headers ?? {}, body: reply.body }, request, things))
    ctx.status = statusCode
    const shown = bodyOf(reply.body, { ...request, isReplay })
    ctx.body = ctx.response.is('text/event-stream') ? openStream(shown as string, gone()) : shown
    ctx.status = statusCode // an empty body has made it 204
  }
}

/** A parameter that is repeated is refused later. */
const textsOf = (query: Context['query']) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

/** Those of every answer of the server, refusals included. */
function setCommonHeaders(ctx: Context, nowMs: number) {
  const exampleOf = (name: string) => String((document.components!.headers![name] as OpenAPIV3_1.HeaderObject).example)
  ctx.set({
    'X-Request-Id': randomUUID(),
    'Cache-Control': 'no-store',
    'X-RateLimit-Limit': exampleOf('X-RateLimit-Limit'),
    'X-RateLimit-Remaining': exampleOf('X-RateLimit-Remaining'),
    'X-RateLimit-Reset': resetAt(nowMs),
  })
}

/** Any key will do. One that says that it is live cannot ask for faults, as on the server. */
function callerOf(ctx: Context): Caller | undefined {
  const [, key] = /^Bearer\s+(\S+)/i.exec(ctx.get('authorization')) ?? []
  return key === undefined ? undefined : { accountId: 'mock', mode: key.startsWith('svc_live_') ? 'live' : 'test' } as Caller
}

/** Aborted when the caller goes away or the mock closes. */
function goneSignal({ res }: Context, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  const stopListening = onAbort(closing, () => gone.abort())
  res.once('close', () => {
    stopListening()
    gone.abort()
  })
  return gone.signal
}

/** Seconds that `emails.wait` waits, as the request or the document says. */
const secondsOf = ({ query }: MockRequest) => Number((query as { timeout?: string }).timeout ?? 30)

/** Stays open after the example's events, as the server's does: no other ones come. */
function openStream(events: string, gone: AbortSignal): Readable {
  return Readable.from(async function* () {
    yield events
    if (!gone.aborted) await once(gone, 'abort')
  }(), { objectMode: false })
}

const isErrorBody = (body: unknown): body is ErrorBody => typeof body === 'object' && body !== null && 'error' in body && 'code' in body

const written = ({ code, example }: Wish) =>
  [...code === undefined ? [] : [`code=${code}`], ...example === undefined ? [] : [`example=${example}`]].join(', ')
