import type { Context } from 'koa'
import type { Context as BackendContext, Handler } from 'openapi-backend'
import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError, publicBodyTooLarge } from '../errors.ts'
import { clientNetwork } from '../network.ts'
import { runForAccount } from '../store/account-of-queries.ts'
import { auditTrail } from './audit.ts'
import { authorize, authorizePlan, openAuthenticate } from './authenticate.ts'
import { bodyMemory } from './body-memory.ts'
import { parseBody, readBody, sizeOfBody } from './body.ts'
import { endCall, openCall, refuseUnmatched } from './call.ts'
import type { Call, UnmatchedCall } from './call.ts'
import { openCarryOut } from './carry-out.ts'
import type { FairShare } from './fair-share.ts'
import { faultsOnDemand } from './faults.ts'
import { handlers } from './handlers/index.ts'
import type { HttpLimits } from './limits.ts'
import { openBackend } from './openapi-backend.ts'
import type { MatchedRequest } from './openapi-backend.ts'
import { rateLimit } from './rate-limit.ts'
import type { RateLimit } from './rate-limit.ts'
import { sendReply, unreadReplies } from './reply.ts'
import { signInLimits } from './sign-in-limits.ts'
import type { Validation } from './validation.ts'

/** Takes the requests of the API through their steps. */
export interface Pipeline {
  /** Answers a request of an operation, and records it in the audit log. */
  answerRequest(ctx: Context, request: MatchedRequest): Promise<void>
  /** Refuses a request whose path or method no operation has. */
  refuseRequest(ctx: Context, request: MatchedRequest): Promise<unknown>
  /** Counts the requests, and sets the three headers. */
  limitRate: RateLimit
  /** Writes waiting audit records, except those that still count calls. */
  flush(): Promise<unknown>
  /** Waits for the requests in progress, then writes all waiting audit records. */
  close(): Promise<unknown>
}

/** A step throws to end the request: `errors.ts` makes the answer. */
type Step = (call: Call) => void | Promise<void>

/** The security schemes of the document. */
const schemes = ['apiKey', 'session']

/** The operations that are called without a key and without a session. A server does not start when another one is. */
const publicOperations: OperationId[] = ['signInLinks.create', 'sessions.create']

/** @throws Error when an operation of the document cannot be served, see `openBackend` */
export async function openPipeline(
  app: App, validation: Validation, { limits, share }: { limits: HttpLimits, share: FairShare },
): Promise<Pipeline> {
  const audit = auditTrail(app)
  const bodies = bodyMemory(limits)
  const unread = unreadReplies(limits.maxUnreadBytes)
  const limitRate = rateLimit(app)
  const limitSignIn = signInLimits(app)
  const requestedFault = faultsOnDemand()
  const authenticate = openAuthenticate(app)
  const carryOut = openCarryOut(app, { share, audit, authenticate })

  /** The steps of a request, in order. openapi-backend calls the three lists, and its own validator between the second and the third. */
  const steps = {
    // no body is read before the caller is known, except a short one: unknown callers could fill the memory
    security: [findCaller, joinAccount, countRequest, checkScope],
    publicSecurity: [joinNetwork, countRequest, limitSignIn],
    body: [receiveBody, injectFault, awaitTurn, parseJson, checkSizes],
    operation: [checkPlan, checkText, checkUnread, carryOut, answer],
  }

  async function findCaller(call: Pick<Call, 'ctx' | 'caller'>) {
    try {
      call.caller = await authenticate(call.ctx)
      call.ctx.state.accountId = call.caller?.accountId
    } catch (error) {
      limitRate.skip(call.ctx) // the database failed, so the caller is not known
      throw error
    }
  }

  function joinAccount(call: Call) {
    const { ctx, caller } = call
    if (!caller) return
    share.identify(ctx.req.socket, call.party = caller.accountId)
    unread.follow(caller.accountId, ctx.res)
  }

  /** Without a caller, the limits of an account are those of the client's network. */
  function joinNetwork(call: Call) {
    unread.follow(call.party = clientNetwork(call.ctx.ip), call.ctx.res)
  }

  function countRequest({ ctx, caller }: Pick<Call, 'ctx' | 'caller'>) {
    return limitRate.count(ctx, caller)
  }

  function checkScope({ ctx, caller, operationId }: Call) {
    authorize(ctx, caller, operationId, app.baseUrl())
  }

  function checkPlan({ caller, operationId, request }: Call) {
    if (caller) authorizePlan(caller, operationId, request.requestBody as object | undefined)
  }

  function receiveBody(call: Call) {
    const bytes = validation.takesBody(call.operationId) ? sizeOfBody(call.ctx) : undefined
    if (bytes !== undefined && !call.caller && bytes > limits.maxPublicBodyBytes) throw publicBodyTooLarge(limits.maxPublicBodyBytes)
    return bytes === undefined ? undefined : receiveBytes(call, bytes)
  }

  async function receiveBytes(call: Call, bytes: number) {
    call.releaseBody = await bodies.take(call.party, bytes)
    call.bodyText = await readBody(call.ctx)
  }

  function injectFault({ ctx, caller, gone }: Call) {
    return caller && requestedFault(ctx, caller, gone)
  }

  async function awaitTurn(call: Call) {
    call.endShare = await share.startRequest(call.party)
  }

  function parseJson(call: Call) {
    call.request.requestBody = parseBody(call.bodyText)
    call.bodyText = undefined // the text of a large body is not kept while the handler runs
  }

  function checkSizes({ operationId, request }: Call) {
    validation.checkSizes(operationId, request)
  }

  function checkText({ request, ctx }: Call) {
    validation.checkText(request, ctx.querystring)
  }

  function checkUnread({ party }: Call) {
    unread.check(party)
  }

  function answer({ ctx, party, operationId, reply }: Call) {
    ctx.status = operations[operationId].status
    runForAccount(app.db, party, () => { sendReply(ctx, reply!, () => share.resumeRequest(party)) })
  }

  const runSteps = async (list: Step[], call: Call) => {
    for (const step of list) {
      const running = step(call)
      if (running) await running // most steps end at once, and an await costs more than such a step
    }
  }

  async function findAndCheckCaller(_context: BackendContext, call: Call): Promise<Caller> {
    await runSteps(steps.security, call)
    return call.caller!
  }

  const runOperation: Handler = (_context, call: Call) => runSteps(steps.operation, call)

  async function refuse(call: UnmatchedCall) {
    await findCaller(call)
    await countRequest(call)
    refuseUnmatched(call)
  }

  const backend = await openBackend(validation, {
    securityHandlers: Object.fromEntries(schemes.map((scheme) => [scheme, findAndCheckCaller])),
    publicOperations,
    handlers: {
      ...Object.fromEntries(Object.keys(handlers).map((operationId) => [operationId, runOperation])),
      async postSecurityHandler({ security }: BackendContext, call: Call) {
        if (security['authorized']) return runSteps(steps.body, call)
        // otherwise openapi-backend calls unauthorizedHandler next
        if (publicOperations.includes(call.operationId)) await runSteps([...steps.publicSecurity, ...steps.body], call)
      },
      unauthorizedHandler({ security }: BackendContext) {
        throw schemes.map((scheme) => security[scheme] as { error: unknown } | undefined).find((result) => result?.error)!.error
      },
      validationFail({ validation: { errors } }: BackendContext, { operationId }: Call) {
        throw validation.toError(operationId, errors ?? [])
      },
      notFound: (_context: BackendContext, call: UnmatchedCall) => refuse(call),
      methodNotAllowed: (_context: BackendContext, call: UnmatchedCall) => refuse(call),
    },
  })

  /** Requests that are being handled: each uses the database until it ends, also when its caller has disconnected. */
  const running = new Set<Promise<void>>()
  async function track(request: Promise<void>): Promise<void> {
    running.add(request)
    try {
      await request
    } finally {
      running.delete(request)
    }
  }

  async function runCall(ctx: Context, request: MatchedRequest): Promise<void> {
    const call = openCall(ctx, request, app.closing)
    ctx.state.operationId = call.operationId
    ctx.res.setHeader('Cache-Control', 'no-store')
    try {
      await backend.handleRequest(request, call)
      audit.record(call, ctx.status)
    } catch (error) {
      audit.record(call, error instanceof AppError ? error.status : 500)
      throw error
    } finally {
      endCall(call)
    }
  }

  return {
    answerRequest: (ctx, request) => track(runCall(ctx, request)),
    refuseRequest: (ctx, request) => track(backend.handleRequest(request, { ctx, request, caller: undefined } satisfies UnmatchedCall)),
    limitRate,
    flush: audit.flush,
    async close() {
      await Promise.allSettled(running)
      await share.whenIdle()
      await new Promise(setImmediate) // in this turn the last request adds its audit record
      await audit.close()
    },
  }
}
