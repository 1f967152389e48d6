import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { auditTrail } from './audit.ts'
import { openAuthenticate } from './authenticate.ts'
import type { Scheme } from './backend.ts'
import { bodyMemory } from './body-memory.ts'
import type { FairShare } from './fair-share.ts'
import { faultsOnDemand } from './faults.ts'
import { openIdempotency } from './idempotency.ts'
import type { HttpLimits } from './limits.ts'
import { rateLimit } from './rate-limit.ts'
import { unreadReplies } from './reply.ts'
import { signInLimits } from './sign-in-limits.ts'
import type { Validation } from './validation.ts'

/** The parts of a server that all calls of operations share. */
export class CallParts {
  readonly app: App
  readonly validation: Validation
  readonly limits: HttpLimits
  readonly share: FairShare
  readonly audit
  readonly bodies
  readonly unread
  readonly limitRate
  readonly limitSignIn
  readonly requestedFault = faultsOnDemand()
  readonly authenticate
  readonly carryOutOnce

  constructor(app: App, validation: Validation, { limits, share }: { limits: HttpLimits, share: FairShare }) {
    this.app = app
    this.validation = validation
    this.limits = limits
    this.share = share
    this.audit = auditTrail(app)
    this.bodies = bodyMemory(limits)
    this.unread = unreadReplies(limits.maxUnreadBytes)
    this.limitRate = rateLimit(app)
    this.limitSignIn = signInLimits(app)
    this.authenticate = openAuthenticate(app)
    this.carryOutOnce = openIdempotency(app)
  }

  /** @returns the caller of a request by one scheme; undefined when its key or session is missing or not valid */
  async findCaller(ctx: Context, scheme: Scheme): Promise<Caller | undefined> {
    try {
      return await this.authenticate[scheme](ctx)
    } catch (error) {
      this.limitRate.skip(ctx) // the database failed, so the caller is not known
      throw error
    }
  }

  async findAnyCaller(ctx: Context): Promise<Caller | undefined> {
    return await this.findCaller(ctx, 'apiKey') ?? await this.findCaller(ctx, 'session')
  }
}
