import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import { document } from '../../server/contract/document.ts'
import type { Caller } from '../../server/context.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import type { ErrorBody } from '../../server/contract/types.gen.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'
import { pause } from '../../server/deadline.ts'
import { Call, goneSignal } from '../../server/http/operations/call.ts'
import { faultHeader, faultsOnDemand } from '../../server/http/operations/faults.ts'
import type { Validation } from '../../server/http/operations/validation.ts'
import { checkMeaning } from './check-request.ts'
import { idAtCursor } from './example-cursors.ts'
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

/** The parts that all requests of a mock share. */
export class MockAnswers {
  readonly validation: Validation
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly closing: AbortSignal
  readonly injectFault = faultsOnDemand()
  /** The examples of each operation. */
  readonly #examples: Map<OperationId, ExampleAnswer[]>
  /** The `Prefer` of requests without one. */
  readonly #prefer: string
  readonly #resources = exampleResources(document)
  readonly #shiftMs: () => number
  readonly #findRepeated = repeatedRequests()

  constructor({ validation, examples, prefer, dialect, now, closing }: MockSetup) {
    this.validation = validation
    this.dialect = dialect
    this.now = now
    this.closing = closing
    this.#examples = examples
    this.#prefer = prefer
    this.#shiftMs = exampleShift(now)
  }

  /** The middleware: answers each request with an example, after the checks of the server. */
  readonly answer = async (ctx: Context): Promise<void> => {
    setCommonHeaders(ctx, this.now())
    const call = new MockCall(this, ctx)
    await this.validation.backend.handleRequest(call.request, call)
  }

  readonly authenticate = async (ctx: Context): Promise<Caller> => mockCaller(ctx, ctx.state.operationId!)

  /** The dialect of requests that name none. */
  readonly dialect: DialectName

  /** Chooses the example of a valid request, shifts its times to now, and fits its ids and members to the request. */
  async choose(call: MockCall): Promise<object> {
    const { ctx, operationId, path, query, body = null, caller } = call
    const answers = this.#examples.get(operationId)!
    const preference = readPrefer(ctx.get('prefer') || this.#prefer)
    const preferred = choosePreferred(answers, preference, [...this.#examples.values()].flat())
    const asked = idAtCursor(typeof query['after'] === 'string' ? query['after'] : '', this.#resources)
    const after = cursorOfExamples(asked, this.#shiftMs())
    const isNamed = preferred !== undefined && preference.example !== undefined
    const request = {
      operationId, path, query, after, body, headers: ctx.headers, dialect: caller.dialect, isNamed, isReplay: false, nowMs: this.now(),
    } as unknown as MockRequest
    const isRefused = preferred !== undefined && preferred.status >= 400
    const repeated = isRefused ? undefined : this.#findRepeated(request, caller)
    if (!isRefused && !repeated?.isReplay) checkMeaning(request, caller)

    const { status, headers, value } = preferred ?? exampleFor(request, answers, this.#resources)
    if (preferred) ctx.set('Preference-Applied', formatPreference(preference))
    else if (status === 204) await pause(secondsOf(request) * 1000, call.gone())
    const isReplay = repeated?.isReplay ?? false
    if (isReplay) ctx.set('Idempotency-Replayed', 'true')
    repeated?.remember()
    ctx.set(fitHeaders({ status, headers, body: value }, request, this.#resources))
    return { status, shown: this.#bodyOf(value, { ...request, isReplay }) } satisfies Shown
  }

  #bodyOf(example: unknown, request: MockRequest): unknown {
    if (example === undefined) return null
    if (isErrorBody(example)) return fitError(example, request)
    const fitted = fitBody(example, request, this.#resources)
    if (request.operationId === 'events.stream') return shiftEvents(fitted as string, this.#shiftMs())
    return typeof fitted === 'string' ? fitted : shiftTimes(fitted, this.#shiftMs())
  }
}

export interface MockSetup {
  validation: Validation
  /** The examples of each operation. */
  examples: Map<OperationId, ExampleAnswer[]>
  /** The `Prefer` of requests without one. */
  prefer: string
  /** The dialect of requests that name none. */
  dialect: DialectName
  /** Milliseconds since 1970. */
  now: () => number
  closing: AbortSignal
}

interface Shown {
  status: number
  shown: unknown
}

/** A request to the mock, which passes the steps of the server, by its functions and in its order. */
class MockCall extends Call<MockAnswers> {
  caller!: Caller

  async receive(caller: Caller | undefined): Promise<void> {
    const { ctx } = this
    const found = caller ?? mockCaller(ctx, this.operationId)
    this.caller = { ...found, dialect: await this.readDialect(this.server.dialect) }
    const text = this.bytesOfBody() === undefined ? undefined : await this.readText()
    const fault = ctx.req.headers[faultHeader]
    if (fault !== undefined) await this.server.injectFault(ctx, String(fault), this.caller, () => this.gone())
    if (text !== undefined || this.hasText) this.takeBody(text)
  }

  carryOut(): Promise<object> {
    return this.server.choose(this)
  }

  answer(reply: object): void {
    const { ctx } = this
    const { status } = reply as Shown
    const shown = this.#inDialect(reply as Shown)
    ctx.body = ctx.response.is('text/event-stream') ? openStream(shown as string, this.gone()) : shown
    ctx.status = status // the assignment of a body has changed it
  }

  #inDialect({ shown }: Shown): unknown {
    const { dialect, ctx, operationId, path } = this
    if (!dialect || typeof shown !== 'object' && typeof shown !== 'string' || shown === null) return shown
    if (isErrorBody(shown)) return dialect.toError(shown)
    if (ctx.response.is('text/event-stream')) return dialect.toEvents(shown as string)
    return typeof shown === 'string' ? shown : dialect.toAnswer(operationId, shown, path)
  }

  gone(): AbortSignal {
    return goneSignal(this.server.closing, this.ctx)
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
