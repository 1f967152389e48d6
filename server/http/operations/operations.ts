import type { Context } from 'koa'
import type { App } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { HttpLimits } from '../limits.ts'
import type { FairShare } from './fair-share.ts'
import { CallParts, ServerCall } from './server-call.ts'
import type { Validation } from './validation.ts'

/** The operations of the document, as a server answers them. */
export class Operations {
  readonly #parts: CallParts
  /** Requests that are being handled: each uses the database until it ends, also when its caller has disconnected. */
  readonly #running = new Set<Promise<unknown>>()

  constructor(app: App, validation: Validation, options: { limits: HttpLimits, share: FairShare }) {
    this.#parts = new CallParts(app, validation, options)
  }

  get limitRate() {
    return this.#parts.limitRate
  }

  /** The middleware: answers every request, also of a path or method that no operation has. */
  readonly answer = async (ctx: Context): Promise<void> => {
    const running = this.#handle(ctx)
    this.#running.add(running)
    try {
      await running
    } finally {
      this.#running.delete(running)
    }
  }

  async #handle(ctx: Context) {
    const call = new ServerCall(this.#parts, ctx)
    try {
      await this.#parts.validation.backend.handleRequest(call.request, call)
      this.#parts.audit.record(call, ctx.status)
    } catch (error) {
      this.#parts.audit.record(call, error instanceof AppError ? error.status : 500)
      throw error
    } finally {
      call.end()
    }
  }

  /** Writes waiting audit records, except those that still count calls. */
  flush(): Promise<void> {
    return this.#parts.audit.flush()
  }

  /** Waits for the requests in progress, then writes all waiting audit records. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
    await this.#parts.share.whenIdle()
    await new Promise(setImmediate) // in this turn the last request adds its audit record
    await this.#parts.audit.close()
  }
}
