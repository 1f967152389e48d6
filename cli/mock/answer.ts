import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import { document } from '../../server/contract/document.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import type { ErrorBody } from '../../server/contract/types.gen.ts'
import { pause } from '../../server/deadline.ts'
import { goneSignal, refuseUnmatched } from '../../server/http/call.ts'
import { faultsOnDemand } from '../../server/http/faults.ts'
import type { Pipeline } from '../../server/http/pipeline.ts'
import type { Validation } from '../../server/http/validation.ts'
import { checkMeaning, receiveRequest } from './check-request.ts'
import { exampleFor } from './example-for.ts'
import { exampleResources } from './examples.ts'
import type { ExampleAnswer } from './examples.ts'
import { fitBody } from './fit-body.ts'
import { fitError } from './fit-error.ts'
import { fitHeaders, resetAt } from './fit-headers.ts'
import { mockCaller } from './mock-caller.ts'
import type { MockRequest } from './mock-request.ts'
import { choosePreferred, formatPreference, readPrefer } from './preference.ts'
import { repeatedRequests } from './repeated.ts'
import { cursorOfExamples, exampleShift, shiftEvents, shiftTimes } from './shift-times.ts'

interface MockSetup {
  validation: Validation
  /** The examples of each operation. */
  examples: Map<OperationId, ExampleAnswer[]>
  /** The `Prefer` of requests without one. */
  prefer: string
  /** Milliseconds since 1970. */
  now: () => number
  closing: AbortSignal
}

/**
 * Takes the place of the server's pipeline. Requests pass the checks of the server; then each is answered with an example of the
 * document, whose times are shifted to now and whose ids and members match the request.
 */
export function mockPipeline(
  { validation, examples, prefer, now, closing }: MockSetup,
): Pick<Pipeline, 'answerRequest' | 'refuseRequest'> {
  const allAnswers = [...examples.values()].flat()
  const resources = exampleResources(document)
  const shiftMs = exampleShift(now)
  const injectFault = faultsOnDemand()
  const findRepeated = repeatedRequests()

  function bodyOf(example: unknown, request: MockRequest): unknown {
    if (example === undefined) return null
    if (isErrorBody(example)) return fitError(example, request)
    const fitted = fitBody(example, request, resources)
    if (request.operationId === 'events.stream') return shiftEvents(fitted as string, shiftMs())
    return typeof fitted === 'string' ? fitted : shiftTimes(fitted, shiftMs())
  }

  return {
    async answerRequest(ctx, matched) {
      const nowMs = now()
      setCommonHeaders(ctx, nowMs)
      const operationId = matched.operation!.operationId as OperationId
      const answers = examples.get(operationId)!
      const caller = mockCaller(ctx, operationId)
      const gone = () => goneSignal(closing, ctx)
      await receiveRequest(ctx, matched, { validation, injectFault: () => injectFault(ctx, caller, gone) })

      const preference = readPrefer(ctx.get('prefer') || prefer)
      const preferred = choosePreferred(answers, preference, allAnswers)
      const { params: path, query, requestBody: body = null } = matched
      const after = cursorOfExamples(String(query['after'] ?? ''), shiftMs())
      const isNamed = preferred !== undefined && preference.example !== undefined
      const request = {
        operationId, path, query, after, body, headers: ctx.headers, isNamed, isReplay: false, nowMs,
      } as unknown as MockRequest
      const isRefused = preferred !== undefined && preferred.status >= 400
      const repeated = isRefused ? undefined : findRepeated(request, caller)
      if (!isRefused && !repeated?.isReplay) checkMeaning(request, caller)

      const { status, headers, value } = preferred ?? exampleFor(request, answers, resources)
      if (preferred) ctx.set('Preference-Applied', formatPreference(preference))
      else if (status === 204) await pause(secondsOf(request) * 1000, gone())
      const isReplay = repeated?.isReplay ?? false
      if (isReplay) ctx.set('Idempotency-Replayed', 'true')
      repeated?.remember()
      const shown = bodyOf(value, { ...request, isReplay })
      ctx.set(fitHeaders({ status, headers, body: value }, request, resources))
      ctx.body = ctx.response.is('text/event-stream') ? openStream(shown as string, gone()) : shown
      ctx.status = status // the assignment of a body has changed it
    },
    async refuseRequest(ctx, request) {
      setCommonHeaders(ctx, now())
      refuseUnmatched({ ctx, request })
    },
  }
}

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
