import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import { runForAccount } from '../store/account-of-queries.ts'
import { clientOf } from './audit.ts'
import type { AuditTrail } from './audit.ts'
import { authorize } from './authenticate.ts'
import type { Authenticate } from './authenticate.ts'
import type { Call } from './call.ts'
import type { FairShare } from './fair-share.ts'
import { handlers } from './handlers/index.ts'
import type { Change, Read } from './handlers/handler.ts'
import { openIdempotency } from './idempotency.ts'
import { readSessionCookie, setSessionCookie } from './session-cookie.ts'
import { withLowerCaseIds } from './uuids.ts'

/** @returns a function that calls the handler of a request's operation, and keeps its reply */
export function openCarryOut(
  app: App, { share, audit, authenticate }: { share: FairShare, audit: AuditTrail, authenticate: Authenticate },
): (call: Call) => Promise<void> {
  const carryOutOnce = openIdempotency(app)
  return async (call) => {
    const { ctx, operationId } = call
    const caller = call.caller!
    const { method } = operations[operationId]
    const { params, query, requestBody: body } = call.request
    const parts = { path: withLowerCaseIds(params) as never, query: withLowerCaseIds(query) as never }
    const request = {
      caller, ...parts, body: body ?? {}, headers: ctx.req.headers, flushAudit: audit.flush,
      client: () => ({ ...clientOf(ctx), replaces: readSessionCookie(ctx.req, app.baseUrl()) }),
      setSession(cookie: string | null) {
        setSessionCookie(ctx, app.baseUrl(), cookie)
      },
      auditOf: (signedIn: Caller, reply: unknown) => audit.entryOf({ ...call, caller: signedIn }, reply),
      beginWait() {
        call.endShare()
        return call.gone()
      },
      async reauthorize() {
        await share.resumeRequest(call.party)
        authorize(ctx, await authenticate(ctx), operationId, app.baseUrl())
      },
    }
    const handler = handlers[operationId] as Read<'addresses.create'> | Change<'addresses.create'>
    call.reply = await runForAccount(app.db, call.party, async () => typeof handler === 'function'
      ? handler(app, request)
      : carryOutOnce(ctx, caller, { operationId, ...parts, body }, {
        carryOut: (keyOf) => handler.carryOut(app, request, {
          usesReserve: method === 'delete', // a deletion has to work on a full disk too
          recordsOf: (reply) => ({ audit: audit.entryOf(call, reply), key: keyOf?.(reply) }),
          markCommitted() { call.isAudited = true },
        }),
        repeat: (stored) => handler.repeat(app, request, stored),
      }))
  }
}
