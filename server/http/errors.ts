import type { Context, Next } from 'koa'
import type { App } from '../context.ts'
import type { ErrorBody } from '../contract/types.gen.ts'
import { AppError, internalError } from '../errors.ts'
import { RequestedFault } from './faults.ts'

/** Turns every error into the error body of the contract. No other module does. */
export const answerErrors = (app: Pick<App, 'log'> & Partial<Pick<App, 'db'>>) => async (ctx: Context, next: Next) => {
  try {
    await next()
  } catch (thrown) {
    const error = toAppError(app.db, thrown)
    if (error.status >= 500 && !(error instanceof RequestedFault)) {
      app.log.error({ err: thrown, requestId: ctx.state.requestId }, 'request failed')
    }
    ctx.status = error.status
    ctx.body = errorBody(error, (name, value) => ctx.set(name, value))
  }
}

/** @param setHeader sets the headers that belong to the error */
export function errorBody({ code, message, details, retryAfter }: AppError, setHeader: (name: string, value: string) => void): ErrorBody {
  if (code === 'INVALID_API_KEY') setHeader('WWW-Authenticate', 'Bearer')
  if (retryAfter !== undefined) setHeader('Retry-After', String(retryAfter))
  return { error: message, code, ...(details && { details }) }
}

function toAppError(db: App['db'] | undefined, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (db?.engine.retryAfterMs(thrown) !== undefined) return internalError('This server cannot use its database at the moment. Try again in some seconds.')
  return internalError('Something went wrong on this server. Its operator finds the reason in the log.')
}
