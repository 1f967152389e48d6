import type { Context, Next } from 'koa'
import type { App, Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import { dialectHeaderName } from '../../dialects/dialects.ts'
import { AppError, publicBodyTooLarge } from '../../errors.ts'
import { clientNetwork } from '../../network.ts'
import { refuseMoving } from '../../store/accounts/accounts.ts'
import type { Change, Read } from '../handlers/handler.ts'
import { handlers } from '../handlers/index.ts'
import type { HttpLimits } from '../limits.ts'
import { BodyMemory } from '../wire/body-memory.ts'
import { readSessionCookie, setSessionCookie } from '../wire/session-cookie.ts'
import { AuditTrail, clientOf } from './audit.ts'
import { authorize, authorizePlan, openAuthenticate } from './authenticate.ts'
import { Call, goneSignal } from './call.ts'
import type { FairShare } from './fair-share.ts'
import { faultHeader, faultsOnDemand } from './faults.ts'
import { openIdempotency } from './idempotency.ts'
import { rateLimit, signInLimits } from './rate-limit.ts'
import { replyIn, sendReply, unreadReplies } from './reply.ts'
import type { Validation } from './validation.ts'

/** A request to the server. */
class ServerCall extends Call<ServerCalls> {
  /** The holder of the key or session; undefined until it is found, and without a valid one. */
  caller: Caller | undefined = undefined
  /** The account of the caller, its share links, or the network of a request without one: limits and turns are its. Set with the caller. */
  party = ''
  /** The result of the handler; undefined until then. */
  reply: object | undefined = undefined
  /** Whether the transaction of the change has inserted the audit record. */
  isAudited = false
  /** Whether it has a share of the turns of its account. */
  #hasShare = false
  /** Releases the memory of the body; undefined while it holds none. */
  #releaseBody: (() => void) | undefined
  #gone: AbortSignal | undefined

  async #findAnyCaller(): Promise<Caller | undefined> {
    const { ctx, server } = this
    return await server.authenticate(ctx, 'apiKey') ?? await server.authenticate(ctx, 'session')
  }

  /** No body is read before the caller is known, except a short one: unknown callers could fill the memory. */
  async receive(caller: Caller | undefined): Promise<void> {
    const { ctx, operationId } = this
    const { limitRate, limitSignIn, share, unread, app, requestFault } = this.server
    const { isPublic } = operations[operationId]
    this.caller = caller
    ctx.state.accountId = this.caller?.accountId
    ctx.state.dialect = this.caller?.dialect
    const account = caller?.share ? `shares of ${caller.accountId}` : caller?.accountId // others read by share links
    this.party = account ?? clientNetwork(ctx.ip)
    if (this.caller) share.identify(ctx.req.socket, this.party)
    if (this.caller || isPublic) unread.follow(this.party, ctx.res)
    await limitRate.count(ctx, this.caller)
    if (isPublic) await limitSignIn(this)
    else authorize(ctx, this.caller, operationId, app)
    if (ctx.req.headers[dialectHeaderName] !== undefined || caller?.dialect === 'classic') {
      const dialect = await this.readDialect(caller?.dialect)
      if (this.caller) this.caller = { ...this.caller, dialect }
    }
    const text = this.takesBody ? await this.#readText() : undefined
    const fault = ctx.req.headers[faultHeader]
    if (fault !== undefined && this.caller) await requestFault(ctx, String(fault), this.caller, () => this.gone())
    await share.startRequest(this.party)
    this.#hasShare = true
    if (text !== undefined || this.hasText) this.takeBody(text)
  }

  async #readText(): Promise<string | undefined> {
    const { limits, bodies } = this.server
    const bytes = this.bytesOfBody()
    if (bytes === undefined) return undefined
    if (!this.caller && bytes > limits.maxPublicBodyBytes) throw publicBodyTooLarge(limits.maxPublicBodyBytes)
    this.#releaseBody = await bodies.take(this.party, bytes)
    return this.readText()
  }

  async carryOut(): Promise<object> {
    const { ctx, operationId } = this
    const { app, audit, carryOutOnce, share, unread } = this.server
    const caller = this.caller!
    if (this.body !== undefined && this.caller) authorizePlan(caller, operationId, this.body as object)
    unread.check(this.party)
    const parts = { path: this.path as never, query: this.query as never }
    const request = {
      caller, ...parts, body: (this.body ?? {}) as never, headers: ctx.req.headers, flushAudit: () => audit.flush(),
      client: () => ({ ...clientOf(ctx), replaces: readSessionCookie(ctx.req, app.baseUrl()) }),
      setSession(cookie: string | null) {
        setSessionCookie(ctx, app.baseUrl(), cookie)
      },
      auditOf: (signedIn: Caller, reply: unknown) => audit.entryOf({ ...this, caller: signedIn }, reply),
      beginWait: () => {
        share.endRequest(this.party)
        this.#hasShare = false
        return this.gone()
      },
      reauthorize: async () => {
        await share.turn(this.party)
        const found = await this.#findAnyCaller()
        if (!found) await refuseMoving(app.db, caller.accountId)
        authorize(ctx, found?.accountId === caller.accountId ? found : undefined, operationId, app)
      },
    }
    const handler = handlers[operationId] as Read<'addresses.create'> | Change<'addresses.create'>
    const { runForAccount } = app.db.engine
    if (typeof handler === 'function') return this.reply = await runForAccount(this.party, handler, app, request)
    return this.reply = await runForAccount(this.party, carryOutOnce, ctx, caller, { operationId, ...parts, body: this.body }, {
      carryOut: (answeredKeyOf) => handler.carryOut(app, request, {
        usesReserve: operations[operationId].method === 'delete', // a deletion has to work on a full disk too
        recordsOf: (reply) => ({ audit: audit.entryOf(this, reply), key: answeredKeyOf?.(reply) }),
        markCommitted: () => { this.isAudited = true },
      }),
      repeat: (stored) => handler.repeat(app, request, stored),
    })
  }

  answer(reply: object): Promise<void> {
    const { app, share, unread } = this.server
    this.ctx.status = operations[this.operationId].status
    const { dialect, operationId, path } = this
    return sendReply(this.ctx, dialect ? replyIn(dialect, operationId, reply, path) : reply, {
      turn: () => share.turn(this.party),
      inAccount: (work) => app.db.engine.runForAccount(this.party, work),
      hold: (bytes) => unread.hold(this.party, this.ctx.res, bytes),
    })
  }

  override async refuseUnmatched(): Promise<never> {
    const caller = await this.#findAnyCaller() // not kept: the audit log records calls of operations
    this.ctx.state.accountId = caller?.accountId
    this.ctx.state.dialect = caller?.dialect
    await this.server.limitRate.count(this.ctx, caller)
    return super.refuseUnmatched()
  }

  end(): void {
    if (this.#hasShare) this.server.share.endRequest(this.party)
    if (this.#releaseBody) whenRead(this.ctx.req, this.#releaseBody)
  }

  /** Aborted when the caller goes away, or the server closes. */
  gone(): AbortSignal {
    return this.#gone ??= goneSignal(this.server.app.closing, this.ctx)
  }
}

/** Calls back when a request is read to its end, or closed. Reading the rest of a refused body costs as much as reading an accepted one. */
export function whenRead(req: Context['req'], done: () => void) {
  if (req.complete || req.closed) done()
  else req.once('close', done)
}

/** The beginning of the path of every operation, and of no page. */
export const operationsPath = '/api/'

/** The calls of operations to a server, and the parts that they share. */
export class ServerCalls {
  readonly app: App
  readonly validation: Validation
  readonly limits: HttpLimits
  readonly share: FairShare
  readonly audit
  readonly bodies
  readonly unread
  readonly limitRate
  readonly limitSignIn
  readonly requestFault = faultsOnDemand()
  readonly authenticate
  readonly carryOutOnce

  constructor(app: App, validation: Validation, { limits, share }: { limits: HttpLimits, share: FairShare }) {
    this.app = app
    this.validation = validation
    this.limits = limits
    this.share = share
    this.audit = new AuditTrail(app)
    this.bodies = new BodyMemory(limits)
    this.unread = unreadReplies(limits)
    this.limitRate = rateLimit(app)
    this.limitSignIn = signInLimits(app)
    this.authenticate = openAuthenticate(app)
    this.carryOutOnce = openIdempotency(app)
  }

  /** Middleware that answers requests at the paths of operations. */
  readonly answerOperation = (ctx: Context, next: Next): Promise<void> => ctx.path.startsWith(operationsPath) ? this.answer(ctx) : next()

  /** Middleware that answers every request, also of a path or method that no operation has. */
  readonly answer = async (ctx: Context): Promise<void> => {
    const call = new ServerCall(this, ctx)
    ctx.res.setHeader('Cache-Control', 'no-store')
    try {
      await this.validation.backend.handleRequest(call.request, call)
      this.audit.record(call, ctx.status)
    } catch (error) {
      this.limitRate.setHeaders(ctx)
      this.audit.record(call, error instanceof AppError ? error.status : 500)
      throw error
    } finally {
      call.end()
    }
  }
}
