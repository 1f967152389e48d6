import { maxEmailBytes as maxBytes } from '../core/connection.ts'
import type { CallOptions, Connection } from '../core/connection.ts'
import { requireId, toCursor } from '../core/ids.ts'
import { page } from '../core/pages.ts'
import type { Email } from '../generated/types.gen.ts'
import type { EmailWaitQuery, EmailWaitResult } from '../wait-for/options.ts'
import type { EmailListQuery, EmailPage } from './email-list.ts'

// The requests that `mayfly.emails` and waits share. Their results do not count as seen mail, unless `read` adds them.

export const listEmails = ({ call }: Connection, query: EmailListQuery, options?: CallOptions, read: typeof page<EmailPage> = page) =>
  call('emails.list', () => ({ query: toQuery(query, 'emails.list') }), options, (body: EmailPage) => Array.isArray(body) ? undefined : read(body))

export const getEmail = (
  { call }: Connection, id: string, options?: CallOptions, read = ({ data }: { data: Email }) => data,
) => call('emails.get', { path: { id } }, { ...options, maxBytes }, read)

export const waitForEmail = (
  { call, timeoutMs }: Connection, query: EmailWaitQuery, options?: CallOptions, read = (result: EmailWaitResult) => result,
) => call('emails.wait', () => ({ query: toQuery(query, 'emails.wait') }), {
  ...options, maxBytes, timeoutMs: options?.timeoutMs ?? (query.timeout ?? 30) * 1000 + timeoutMs,
}, (body, headers) => {
  const email = (body as { data?: Email }).data
  const cursor = headers.get('x-mayfly-cursor') ?? email?.id
  return cursor === undefined ? undefined : read({ email, cursor })
})

/** Maps the query to the parameter names of the API. */
function toQuery({ addressId, after, isDeleted, ...rest }: EmailListQuery, operation: string) {
  return {
    ...rest,
    address_id: addressId === undefined ? undefined : requireId(addressId, `${operation}: addressId`),
    after: after === undefined ? undefined : toCursor(after, operation),
    is_deleted: isDeleted === undefined ? undefined : `${isDeleted}` as const,
  }
}
