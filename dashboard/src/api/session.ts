import { Mayfly, NetworkError } from '@mayfly-mail/sdk'
import type { ErrorBody, ErrorCode, Hooks } from '@mayfly-mail/sdk'
import { baseUrl } from './base.ts'
import type { Account } from './generated/types.gen.ts'
import { takeEarlyAnswer } from './in-page.ts'
import { texts } from '../texts.ts'
import { currentMode } from './mode.ts'

/**
 * Calls of the API with the session of the browser in place of a key: the browser sends the cookie, and a header has the mode.
 * `mayfly` has the operations of the published SDK. Those that only the dashboard may call are in `own-operations.ts`.
 */
export const mayfly = connectWithSession()

export function connectWithSession(hooks: Hooks = {}): Mayfly {
  return new Mayfly({ apiKey: 'unused-with-a-session', baseUrl, fetch: sendWithSession, timeoutMs, hooks })
}

/** Time for a request, with the wait until the next window of the rate limit, which is a minute. */
const timeoutMs = 100_000

/** An error that the server answered to one of the dashboard's own operations. */
export class DashboardApiError extends Error {
  override name = 'DashboardApiError'
  readonly status: number
  readonly code: ErrorCode | undefined

  constructor(message: string, status: number, code: ErrorCode | undefined) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** @param body of an answer to a request that failed */
export function dashboardError(body: unknown, status: number): DashboardApiError {
  const { error: message, code } = Object(body) as Partial<ErrorBody>
  return new DashboardApiError(message ?? `The server answered with status ${status}.`, status, code)
}

/** The account of the session. Read without the generated client, which only other pages load. */
export async function readAccount(): Promise<Account> {
  const response = await sendWithSession(new Request(`${baseUrl}/api/v1/account`))
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw dashboardError(body, response.status)
  return (body as { data: Account }).data
}

/** A request beyond the rate limit is sent again in the next window: a change of many mails takes longer, and does not fail. */
export async function sendWithSession(request: Request): Promise<Response> {
  request.headers.delete('authorization') // a key would have precedence over the cookie
  request.headers.set('x-mayfly-mode', currentMode())
  if (request.method !== 'GET' && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', randomKey())
  const again = request.clone()
  const response = await send(request)
  const waitSeconds = response.status === 429 ? Number(response.headers.get('retry-after')) : 0
  if (waitSeconds < 1 || waitSeconds > maxWaitSeconds) return response
  await new Promise((resolve) => { setTimeout(resolve, waitSeconds * 1000) })
  request.signal.throwIfAborted()
  return send(again)
}

/** The window of the rate limit; a longer wait is that of another limit, and shown. */
const maxWaitSeconds = 60

/** A request without an answer is told from a fault of the program, whose TypeErrors look like those of `fetch`. */
export const send = (request: Request): Promise<Response> => (takeEarlyAnswer(request) ?? fetch(request)).catch((cause: unknown) => {
  throw request.signal.aborted ? cause : new NetworkError(texts.offline.error, { cause })
})

const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
