import { maxEmailBytes as maxBytes } from '../core/connection.ts'
import type { CallOptions, Connection } from '../core/connection.ts'
import { requireId, toCursor } from '../core/ids.ts'
import { page } from '../core/pages.ts'
import type { Email } from '../generated/types.gen.ts'
import type { EmailWaitQuery, EmailWaitResult } from '../wait-for/options.ts'
import type { EmailListQuery, EmailPage } from './email-list.ts'

export type EmailRequests = ReturnType<typeof emailRequests>

/** The requests that `mayfly.emails` and waits send. Their results do not count as seen mail, unless `read` adds them. */
export function emailRequests({ call, timeoutMs }: Connection) {
  const list = (query: EmailListQuery, options?: CallOptions, read: typeof page<EmailPage> = page) =>
    call('emails.list', () => ({ query: toQuery(query, 'emails.list') }), options, read)

  const get = (id: string, options?: CallOptions) => call('emails.get', { path: { id } }, { ...options, maxBytes })

  const wait = (query: EmailWaitQuery, options?: CallOptions, read = (result: EmailWaitResult) => result) =>
    call('emails.wait', () => ({ query: toQuery(query, 'emails.wait') }), {
      ...options, maxBytes, timeoutMs: options?.timeoutMs ?? (query.timeout ?? 30) * 1000 + timeoutMs,
    }, (body, headers) => {
      const email = (body as { data?: Email }).data
      const cursor = headers.get('x-mayfly-cursor') ?? email?.id
      return cursor === undefined ? undefined : read({ email, cursor })
    })

  return { list, get, wait }
}

/** Maps the query to the parameter names of the API. */
function toQuery({ addressId, after, isDeleted, ...rest }: EmailListQuery, operation: string) {
  return {
    ...rest,
    address_id: addressId === undefined ? undefined : requireId(addressId, `${operation}: addressId`),
    after: after === undefined ? undefined : toCursor(after, operation),
    is_deleted: isDeleted === undefined ? undefined : `${isDeleted}` as const,
  }
}
