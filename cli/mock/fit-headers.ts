import { create as contentDisposition } from 'content-disposition'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import type { Email } from '../../server/contract/types.gen.ts'
import { windowAt, windowSeconds } from '../../server/http/operations/rate-limit.ts'
import { sessionCookie } from '../../server/http/wire/session-cookie.ts'
import { cursorOfExample, laterCursor } from './example-cursors.ts'
import type { ExampleAnswer, ExampleResources } from './examples.ts'
import type { MockRequest } from './mock-request.ts'

/** Keys are in lower case. */
export type MockHeaders = Record<string, string>

type Fit<Id extends OperationId> =
  (reply: { body: unknown, headers: MockHeaders }, request: MockRequest<Id>, resources: ExampleResources) => MockHeaders

/** The mock has HTTP: browsers would refuse the cookie of the document's example, which needs HTTPS. */
const mockUrl = 'http://localhost'

/** By operation, the headers of a success that follow the request. */
const fits: { [Id in OperationId]?: Fit<Id> } = {
  'emails.wait': ({ body, headers }, { query }, resources) => {
    const { data } = (body ?? {}) as { data?: Email }
    const latest = laterCursor(headers['x-mayfly-cursor']!, query.after)
    return { 'x-mayfly-cursor': data && cursorOfExample(data.id, resources) || latest }
  },
  'sessions.create': ({ headers }) => ({ 'set-cookie': sessionCookie(mockUrl, /=([^;]*)/.exec(headers['set-cookie']!)![1]!) }),
  'sessions.deleteAll': () => ({ 'set-cookie': sessionCookie(mockUrl, null) }),
  'emails.raw': (_reply, { path }) => ({ 'content-disposition': contentDisposition(`${path.id}.eml`) }),
  'emails.attachment': (_reply, { path }, { emails }) => {
    const attachments = [...emails.values()].flatMap((email) => email.attachments)
    const { filename, contentType } = attachments.find(({ id }) => id === path.attachmentId) ?? attachments[0]!
    return { 'content-type': contentType, 'content-disposition': contentDisposition(filename) }
  },
}

/** The headers of an answer: those of the document, with values that fit the request and its time. */
export function fitHeaders(
  { status, headers, body }: Pick<ExampleAnswer, 'status' | 'headers'> & { body: unknown },
  request: MockRequest,
  resources: ExampleResources,
): MockHeaders {
  const shown: MockHeaders = { ...headers }
  delete shown['idempotency-replayed'] // set by answer.ts
  if (typeof body !== 'string') delete shown['content-type'] // Koa sets the type of JSON
  const fit = status < 300 ? fits[request.operationId] as Fit<OperationId> | undefined : undefined
  const reset = resetAt(request.nowMs, shown['retry-after'])
  return { ...shown, 'x-ratelimit-reset': reset, ...fit?.({ body, headers: shown }, request, resources) }
}

/** `X-RateLimit-Reset`: the start of the next window, or the end of `Retry-After`, in seconds since 1970. */
export function resetAt(nowMs: number, retryAfter?: string): string {
  const reset = retryAfter === undefined ? (windowAt(nowMs) + 1) * windowSeconds : Math.ceil(nowMs / 1000) + Number(retryAfter)
  return String(reset)
}
