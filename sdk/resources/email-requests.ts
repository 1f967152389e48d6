import { maxBytes, maxEmailBytes } from '../core/connection.ts'
import type { CallOptions, Connection } from '../core/connection.ts'
import { requireId, toCursor } from '../core/ids.ts'
import { page } from '../core/pages.ts'
import { checkNames } from '../core/unknown-names.ts'
import type { Email } from '../generated/types.gen.ts'
import type { EmailWaitQuery, EmailWaitResult } from '../wait-for/options.ts'
import type { EmailListQuery, EmailPage } from './email-list.ts'

// The requests that `mayfly.emails` and waits share. Their results do not count as seen mail, unless `read` adds them.

export const listEmails = ({ call }: Connection, query: EmailListQuery, options?: CallOptions, read: typeof page<EmailPage> = page) =>
  call('emails.list', () => ({ query: toListQuery(query) }), options, (body: EmailPage) => Array.isArray(body) ? undefined : read(body))

export const getEmail = (
  { call }: Connection, id: string, options?: CallOptions, read = ({ data }: { data: Email }) => data,
) => call('emails.get', { path: { id } }, { ...options, [maxBytes]: maxEmailBytes }, read)

export const waitForEmail = (
  { call, timeoutMs }: Connection, query: EmailWaitQuery, options?: CallOptions, read = (result: EmailWaitResult) => result,
) => call('emails.wait', () => ({ query: toQuery(query, waitNames, 'emails.wait') }), {
  ...options, [maxBytes]: maxEmailBytes, timeoutMs: options?.timeoutMs ?? (query.timeout ?? 30) * 1000 + timeoutMs,
}, (body, headers) => {
  const email = (body as { data?: Email }).data
  const cursor = headers.get('x-mayfly-cursor') ?? email?.id
  return cursor === undefined ? undefined : read({ email, cursor })
})

/** The id of the inbox whose mail is listed. */
export const inboxId = /* @__PURE__ */ Symbol()
type ListQuery = EmailListQuery & { [inboxId]?: string }

const inboxListNames = {
  type: true, isDeleted: true, after: true, q: true, to: true, envelopeFrom: true, threadId: true, limit: true, offset: true, before: true,
} satisfies Record<Exclude<keyof EmailListQuery, 'addressId'>, true>
const waitNames = {
  addressId: true, after: true, from: true, subject: true, to: true, envelopeFrom: true, timeout: true,
} satisfies Record<keyof EmailWaitQuery, true>

const toListQuery = ({ [inboxId]: addressId, ...query }: ListQuery) => {
  const listNames = { addressId: true, ...inboxListNames } satisfies Record<keyof EmailListQuery, true>
  if (addressId === undefined) return toQuery(query, listNames, 'emails.list')
  checkNames(query, inboxListNames, 'inbox.list')
  return toQuery({ ...query, addressId }, listNames, 'emails.list')
}

/** Maps the query to the parameter names of the API. @throws MayflyError for an unknown name; in other queries the server refuses it */
function toQuery(query: EmailListQuery & EmailWaitQuery, known: Record<string, true>, operation: string) {
  checkNames(query, known, operation)
  const { addressId, after, isDeleted, envelopeFrom, threadId, ...rest } = query
  return {
    ...rest,
    address_id: addressId === undefined ? undefined : requireId(addressId, `${operation}: addressId`),
    after: after === undefined ? undefined : toCursor(after, operation),
    envelope_from: envelopeFrom,
    thread_id: threadId,
    is_deleted: isDeleted === undefined ? undefined : `${isDeleted}` as const,
  }
}
