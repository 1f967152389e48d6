import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Caller } from '../../server/context.ts'
import { document } from '../../server/contract/document.ts'
import type { ErrorBody } from '../../server/contract/types.gen.ts'
import { pause } from '../../server/deadline.ts'
import { faultsOnDemand } from '../../server/http/faults.ts'
import { goneSignal } from '../../server/http/call.ts'
import { exampleFor } from './example-for.ts'
import { exampleResources } from './examples.ts'
import { fitBody, fitError } from './fit-body.ts'
import { fitHeaders, resetAt } from './fit-headers.ts'
import type { AskPrism } from './load-prism.ts'
import type { MockRequest } from './mock-request.ts'
import { findOperation } from './operations.ts'
import type { MockOperation } from './operations.ts'
import { choosePreferred, formatPreference, readPrefer } from './preference.ts'
import { checkTarget, readBody, refusal } from './read-request.ts'
import { repeatedRequests } from './repeated.ts'
import { cursorOfExamples, exampleShift, shiftEvents, shiftTimes } from './shift-times.ts'

interface MockSetup {
  prism: AskPrism
  operations: MockOperation[]
  /** The `Prefer` of requests without one. */
  prefer: string
  /** Milliseconds since 1970. */
  now: () => number
  closing: AbortSignal
}

/** Answers every request with an example of the document, whose times are shifted to now and whose ids and members match the request. */
export function answerFrom({ prism, operations, prefer, now, closing }: MockSetup): Middleware {
  const allAnswers = operations.flatMap(({ answers }) => answers)
  const resources = exampleResources(document)
  const shiftMs = exampleShift(now)
  const injectFault = faultsOnDemand()
  const isRepeated = repeatedRequests()

  function bodyOf(example: unknown, request: MockRequest): unknown {
    if (example === undefined) return null
    if (isErrorBody(example)) return fitError(example, request)
    const fitted = fitBody(example, request, resources)
    if (request.operationId === 'events.stream') return shiftEvents(fitted as string, shiftMs())
    return typeof fitted === 'string' ? fitted : shiftTimes(fitted, shiftMs())
  }

  return async (ctx) => {
    const nowMs = now()
    setCommonHeaders(ctx, nowMs)
    const { operationId, method, answers, parts } = findOperation(operations, ctx)
    checkTarget(ctx)
    const body = await readBody(ctx)
    const caller = callerOf(ctx)
    const gone = () => goneSignal(closing, ctx)
    if (caller) await injectFault(ctx, caller, gone)

    const preference = readPrefer(ctx.get('prefer') || prefer)
    const preferred = choosePreferred(answers, preference, allAnswers)
    const isNamed = preferred.example !== undefined && preference.example !== undefined
    const query = textsOf(ctx.query)
    const after = cursorOfExamples(query['after'] ?? '', shiftMs())
    const request = {
      operationId, path: parts, query, after, body, headers: ctx.headers, isNamed, isReplay: false, nowMs,
    } as unknown as MockRequest
    const wanted = preferred.status === undefined ? exampleFor(request, resources) : preferred
    const url = { path: ctx.path, query: ctx.query as Record<string, string> }
    const { reply, faults } = await prism({ method, url, headers: ctx.headers as Record<string, string>, body }, wanted)
    if (faults.length > 0 && reply.statusCode === 400) throw refusal(faults)

    const { statusCode } = reply
    if (statusCode === preferred.status) ctx.set('Preference-Applied', formatPreference(preference))
    else if (statusCode === 204) await pause(secondsOf(request) * 1000, gone())
    const isReplay = statusCode < 300 && caller !== undefined && isRepeated(request, caller)
    if (isReplay) ctx.set('Idempotency-Replayed', 'true')
    ctx.set(fitHeaders({ statusCode, headers: reply.headers ?? {}, body: reply.body }, request, resources))
    const shown = bodyOf(reply.body, { ...request, isReplay })
    ctx.body = ctx.response.is('text/event-stream') ? openStream(shown as string, gone()) : shown
    ctx.status = statusCode // the assignment of a body has changed it
  }
}

/** The query as text. Prism refuses a repeated parameter later. */
const textsOf = (query: Context['query']) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

/** Sets the headers that every answer of the server has, refusals included. */
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

/** The mock accepts any key. A live key cannot request faults, as on the server. */
function callerOf(ctx: Context): Caller | undefined {
  const [, key] = /^Bearer\s+(\S+)/i.exec(ctx.get('authorization')) ?? []
  return key === undefined ? undefined : { accountId: 'mock', mode: key.startsWith('svc_live_') ? 'live' : 'test' } as Caller
}

/** Seconds that `emails.wait` waits, by the request or the document's default. */
const secondsOf = ({ query }: MockRequest) => Number((query as { timeout?: string }).timeout ?? 30)

/** The example's events; the stream then stays open, as on the server. */
function openStream(events: string, gone: AbortSignal): Readable {
  return Readable.from(async function* () {
    yield events
    if (!gone.aborted) await once(gone, 'abort')
  }(), { objectMode: false })
}

const isErrorBody = (body: unknown): body is ErrorBody => typeof body === 'object' && body !== null && 'error' in body && 'code' in body
