import type { Context } from 'koa'
import type { Context as Handling, Handler } from 'openapi-backend'
import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import { withReserve } from '../store/database.ts'
import type { AuditOfChange, AuditTrail } from './audit.ts'
import type { Steps } from './backend.ts'
import { bodyMemory } from './body-memory.ts'
import type { Call, UnmatchedCall } from './call.ts'
import type { FairShare } from './fair-share.ts'
import { faultsOnDemand } from './faults.ts'
import { handlers } from './handlers/index.ts'
import type { Change, Read } from './handlers/handler.ts'
import type { CarryOutOnce } from './idempotency.ts'
import { admit, identify } from './identify.ts'
import { parseBody, readBody, sizeOfBody } from './json-body.ts'
import type { HttpLimits } from './limits.ts'
import { rateLimit } from './rate-limit.ts'
import { send } from './send.ts'
import { unreadAnswers } from './unread-answers.ts'
import { withLowerCaseIds } from './validation.ts'
import type { Validation } from './validation.ts'

interface Parts {
  validation: Validation
  limits: HttpLimits
  share: FairShare
  audit: AuditTrail
  carryOutOnce: CarryOutOnce
}

/** The security scheme of the document. */
const scheme = 'apiKey'

/**
 * The functions that openapi-backend calls for a request of an operation, in this order: `authenticate`, which also counts the request
 * and checks the scope; `receiveBody`; its own validator; `perform`. Each gets the library's context, then the arguments that
 * `router.ts` passes on: the Call, and what the transaction of a change needs for the audit log.
 */
export function requestSteps(app: App, { validation, limits, share, audit, carryOutOnce }: Parts): Steps {
  const bodies = bodyMemory(limits)
  const unread = unreadAnswers(limits.unreadBytes)
  const limit = rateLimit(app)
  const askedFault = faultsOnDemand()

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

  /** @throws AppError `RATE_LIMITED`, `INVALID_API_KEY`, `PLAN_REQUIRED`, `MISSING_SCOPE`; `unauthorizedHandler` throws it again */
  async function authenticate(_handling: Handling, call: Call): Promise<Caller> {
    const { ctx, operationId } = call
    const caller = call.caller = await callerOf(ctx)
    if (caller) {
      share.identify(ctx.req.socket, caller.accountId)
      unread.follow(caller.accountId, ctx.res)
    }
    limit(ctx, caller)
    admit(caller, operations[operationId].scope)
    return caller
  }

  async function receiveBody({ security }: Handling, call: Call) {
    if (!security['authorized']) return // openapi-backend calls unauthorizedHandler next
    const { ctx, operationId, request } = call
    const caller = call.caller!
    const bytes = validation.takesBody(operationId) ? sizeOfBody(ctx) : undefined
    call.releaseBody = bytes === undefined ? undefined : await bodies.take(caller.accountId, bytes)
    const text = call.releaseBody && await readBody(ctx)
    await askedFault(ctx, caller, call.gone)
    call.endShare = await share.begin(caller.accountId)
    request.requestBody = parseBody(text)
    validation.checkSizes(operationId, request)
  }

  function perform(operationId: OperationId): Handler {
    const { method, scope, status } = operations[operationId]
    const handler = handlers[operationId] as Read<'addresses.create'> | Change<'addresses.create'>
    const appOfChange = method === 'delete' ? { ...app, db: withReserve(app.db) } : app // a deletion has to work on a full disk too
    return async (_handling: Handling, call: Call, { entryOf, noteCommitted }: AuditOfChange) => {
      const { ctx } = call
      const caller = call.caller!
      validation.checkText(call.request, ctx.querystring)
      const { params, query, requestBody: body } = call.request
      const parts = { path: withLowerCaseIds(params) as never, query: withLowerCaseIds(query) as never }
      const request = {
        caller, ...parts, body: body ?? {}, headers: ctx.req.headers, flushAudit: audit.flush,
        get gone() {
          call.endShare() // a handler reads this signal when it begins to wait
          return call.gone()
        },
        async admitAgain() {
          await share.resume(caller.accountId)
          admit(await identify(app, ctx), scope)
        },
      }
      unread.check(caller.accountId)
      const reply = typeof handler === 'function'
        ? await handler(app, request)
        : await carryOutOnce(ctx, caller, { operationId, ...parts, body }, {
          carryOut: (keyOf) => handler.carryOut(appOfChange, request, {
            recordsOf: (answer) => ({ audit: entryOf(answer), key: keyOf?.(answer) }),
            noteCommitted,
          }),
          repeat: (answer) => handler.repeat(app, request, answer),
        })
      ctx.status = status
      send(ctx, reply, () => share.resume(caller.accountId))
      return reply
    }
  }

  return {
    securityHandlers: { [scheme]: authenticate },
    handlers: {
      ...Object.fromEntries(Object.keys(handlers).map((operationId) => [operationId, perform(operationId as OperationId)])),
      postSecurityHandler: receiveBody,
      unauthorizedHandler({ security }: Handling) {
        throw (security[scheme] as { error: unknown }).error
      },
      validationFail({ validation: { errors } }: Handling, { operationId }: Call) {
        throw validation.toError(operationId, errors ?? [])
      },
      async notFound(_handling: Handling, { ctx }: UnmatchedCall) {
        limit(ctx, await callerOf(ctx))
        throw new AppError('NOT_FOUND', 'There is nothing at this path. /docs describes what there is.')
      },
      async methodNotAllowed(_handling: Handling, { ctx, request }: UnmatchedCall) {
        limit(ctx, await callerOf(ctx))
        const allowed = request.allowedMethods.join(', ')
        ctx.set('Allow', allowed)
        throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`)
      },
    },
  }
}
