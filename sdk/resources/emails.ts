import { maxBytes, maxEmailBytes, optionNames } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import { readFilename } from '../core/filename.ts'
import { requestOptionNames } from '../core/options.ts'
import type { RequestOptions } from '../core/options.ts'
import { page, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import { readBytes, readStream } from '../core/streams.ts'
import type {
  Deleted, Email, EmailBounce, EmailChangeAll, EmailChanges, EmailChecks, EmailForward, EmailReport, EmailSummary, EmailUpdate,
  EmailUpdated,
} from '../generated/types.gen.ts'
import type { EmailWaitQuery, EmailWaitResult, WaitForOptions } from '../wait-for/options.ts'
import type { SeenMail } from '../wait-for/seen-mail.ts'
import type { WaitFor } from '../wait-for/wait.ts'
import type { EmailListQuery, EmailPage } from './email-list.ts'
import { getEmail, listEmails, waitForEmail } from './email-requests.ts'
import { toBody } from './email-send.ts'
import type { EmailSend } from './email-send.ts'

/** The options of a download. */
export interface FileOptions<As extends 'blob' | 'stream'> extends RequestOptions {
  /**
   * `blob` (the default) returns the whole file, in memory; `stream` returns a `ReadableStream` as soon as the answer begins, and
   * `timeoutMs` limits the time until then.
   */
  as?: As
}

/** `mayfly.emails`: mail that the addresses received or sent. */
export function emailOperations(connection: Connection, seen: SeenMail, waitFor: WaitFor) {
  const { call, open } = connection
  const ofFiles = { [optionNames]: { ...requestOptionNames, as: true } satisfies Record<keyof FileOptions<'blob'>, true> }
  return {
    /**
     * Lists emails, newest first; with `q`, only those that a search finds. Long texts are truncated, see `isTruncated`;
     * `get` returns the whole email.
     * @throws InvalidRequestError when a value is out of range, or `q` has an unknown operator
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { data, total, cursor } = await mayfly.emails.list({ addressId: id, type: 'received' })
     * for (const { from, subject, receivedAt } of data) console.log(receivedAt, from, subject)
     * const later = await mayfly.emails.list({ addressId: id, after: cursor })
     * console.log(total, later.total)
     * const found = await mayfly.emails.list({ q: 'from:shop.example invoice is:unread', limit: 10 })
     * console.log(found.data.map(({ subject }) => subject), found.hasMore)
     */
    list(query: EmailListQuery = {}, options?: RequestOptions): MayflyList<EmailPage, EmailSummary> {
      return toList(query, (part) => listEmails(connection, part, options, (body) => {
        for (const email of body.data) seen.add(email)
        return page(body)
      }))
    },

    /**
     * Returns a whole email: bodies, headers, attachment records, codes and links. It stays unread.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) {
     *   const { codes, links } = await mayfly.emails.get(data[0].id)
     *   console.log(codes[0], links[0]?.url)
     * }
     */
    get(id: string, options?: RequestOptions): MayflyPromise<Email> {
      return getEmail(connection, id, options, ({ data }) => {
        seen.add(data)
        return data
      })
    },

    /**
     * Queues an email from one of the account's active addresses. `get` shows its `status` from then on.
     * @param email.inReplyToId the email that it answers: `fromAddressId`, `to` and `subject` are those of a reply then
     * @throws ConflictError when the address has expired
     * @throws NotFoundError when the account has no such address or email
     * @throws InvalidRequestError when a recipient is not exactly one address, or a text or file is too long
     * @example
     * const { id: fromAddressId } = await mayfly.addresses.create()
     * const { id } = await mayfly.emails.send({
     *   fromAddressId, to: 'support@shop.example', subject: 'Where is my order?', body: 'It is number 1042.',
     * })
     * console.log((await mayfly.emails.get(id)).status)
     * const [question] = (await mayfly.emails.list({ type: 'received' })).data
     * if (question) {
     *   const attachments = [{ filename: 'invoice.csv', content: 'order,total\n1042,9.99\n' }]
     *   await mayfly.emails.send({ inReplyToId: question.id, body: 'Here it is.', cc: ['ada@example.com'], attachments })
     * }
     */
    send(email: EmailSend, options?: RequestOptions): MayflyPromise<{ id: string }> {
      return call('emails.send', () => ({ body: toBody(email) }), options)
    },

    /**
     * Reports to the sender of a received email that it could not be delivered. The report arrives at an address of this server, or is
     * captured; it never leaves the server.
     * @param input.status the enhanced status code; default: `5.1.1`
     * @param input.text the reason, in printable ASCII characters; default: `The mailbox does not exist`
     * @throws ConflictError when the envelope has no sender
     * @throws NotFoundError when the account has no such email
     * @example
     * const [email] = (await mayfly.emails.list({ type: 'received' })).data
     * if (email) console.log((await mayfly.emails.bounce(email.id, { status: '5.2.2' })).outcome)
     */
    bounce(id: string, input: EmailBounce = {}, options?: RequestOptions): MayflyPromise<EmailReport> {
      return call('emails.bounce', { path: { id }, body: input }, options)
    },

    /**
     * Reports a received email as spam to its sender. The report arrives at an address of this server, or is captured.
     * @throws ConflictError when the envelope has no sender
     * @throws NotFoundError when the account has no such email
     * @example
     * const [email] = (await mayfly.emails.list({ type: 'received' })).data
     * if (email) await mayfly.emails.complain(email.id)
     */
    complain(id: string, options?: RequestOptions): MayflyPromise<EmailReport> {
      return call('emails.complain', { path: { id } }, options)
    },

    /**
     * Forwards a received email to a verified forwarding address, once. `get` shows the status as `forwarding`.
     * @throws NotFoundError when the account has no such email or forwarding address
     * @throws ConflictError when the forwarding address is not verified
     * @example
     * const [email] = (await mayfly.emails.list({ type: 'received' })).data
     * const [target] = (await mayfly.forwardingAddresses.list()).addresses.filter(({ isVerified }) => isVerified)
     * if (email && target) await mayfly.emails.forward(email.id, { forwardToId: target.id })
     */
    forward(id: string, input: EmailForward, options?: RequestOptions): MayflyPromise<{ id: string }> {
      return call('emails.forward', { path: { id }, body: input }, options)
    },

    /**
     * Sets or clears the marks `isRead` and `isStarred` of an email. To a key without the scope `emails:read` only its id and marks are
     * returned.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) await mayfly.emails.update(data[0].id, { isRead: true, isStarred: false })
     */
    update(id: string, marks: EmailUpdate, options?: RequestOptions): MayflyPromise<EmailUpdated> {
      return call('emails.update', { path: { id }, body: marks }, { ...options, [maxBytes]: maxEmailBytes })
    },

    /**
     * Marks an email as deleted: `list({ isDeleted: true })` still lists it.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) await mayfly.emails.delete(data[0].id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Deleted> {
      return call('emails.delete', { path: { id } }, options)
    },

    /**
     * Undoes the deletion of an email, as long as the server keeps it. Without a deletion nothing changes. To a key without the scope
     * `emails:read` only its id and marks are returned.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ isDeleted: true, limit: 1 })
     * if (data[0]) await mayfly.emails.restore(data[0].id)
     */
    restore(id: string, options?: RequestOptions): MayflyPromise<EmailUpdated> {
      return call('emails.restore', { path: { id } }, { ...options, [maxBytes]: maxEmailBytes })
    },

    /**
     * Marks as read, deletes or restores all emails of an address, of a search, of both, or of the account: 10,000 of them at most, and
     * the others by a further call while `hasMore` is true.
     * @param change.q finds emails as that of `list` does; needs the scope `emails:read` too
     * @throws NotFoundError when the account has no such address
     * @throws InvalidRequestError when `q` has an unknown operator, or more than five words
     * @example
     * const { id: addressId } = await mayfly.addresses.create()
     * const { changed } = await mayfly.emails.changeAll({ action: 'markRead', addressId })
     * console.log(changed)
     * while ((await mayfly.emails.changeAll({ action: 'delete', q: 'from:news is:read' })).hasMore) console.log('more')
     */
    changeAll(change: EmailChangeAll, options?: RequestOptions): MayflyPromise<EmailChanges> {
      return call('emails.changeAll', { body: change }, options)
    },

    /**
     * Checks an email for what mail clients and spam filters mind; each check has a `result`: `pass`, `warn`, `fail` or `none`.
     * @param query.links true requests each link too, which can use up a link that works once
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) {
     *   const { clients, size, links } = await mayfly.emails.checks(data[0].id, { links: true })
     *   console.log(clients.support['outlook-windows'], size.result, links.links.filter(({ status }) => status === 404))
     * }
     */
    checks(id: string, query?: { links?: boolean }, options?: RequestOptions): MayflyPromise<EmailChecks> {
      return call('emails.checks', { path: { id }, query: query as { links?: 'true' | 'false' } }, options)
    },

    /**
     * Returns the source of an email, byte for byte.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) {
     *   const source = await mayfly.emails.raw(data[0].id)
     *   console.log(source.size, await source.text())
     *   for await (const piece of await mayfly.emails.raw(data[0].id, { as: 'stream' })) console.log(piece.length)
     * }
     */
    raw<As extends 'blob' | 'stream' = 'blob'>(
      id: string, options?: FileOptions<As>,
    ): MayflyPromise<As extends 'stream' ? ReadableStream<Uint8Array> : Blob> {
      return open<'emails.raw', never>('emails.raw', { path: { id } }, { ...options, ...ofFiles }, async (answer, signal, fail) => {
        const type = answer.headers.get('content-type')
        if (!type?.startsWith('message/')) return undefined
        if (options?.as === 'stream') return readStream(answer, options.signal, fail) as never
        return new Blob([(await readBytes(answer, signal, fail))!], { type }) as never
      })
    },

    /**
     * Downloads an attachment, byte for byte. The file's `name` and `type` are the attachment's.
     * @throws NotFoundError when the account has no such email or attachment
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * const email = await mayfly.emails.get(data[0]!.id)
     * for (const { id } of email.attachments) {
     *   const file = await mayfly.emails.attachment(email.id, id)
     *   console.log(file.name, file.type, file.size, new Uint8Array(await file.arrayBuffer()))
     * }
     */
    attachment<As extends 'blob' | 'stream' = 'blob'>(
      emailId: string, attachmentId: string, options?: FileOptions<As>,
    ): MayflyPromise<As extends 'stream' ? ReadableStream<Uint8Array> : File> {
      return open<'emails.attachment', never>('emails.attachment', { path: { emailId, attachmentId } }, { ...options, ...ofFiles }, async (answer, signal, fail) => {
        if (options?.as === 'stream') return readStream(answer, options.signal, fail) as never
        const { headers } = answer
        const name = readFilename(headers.get('content-disposition')) ?? attachmentId
        return new File([(await readBytes(answer, signal, fail))!], name, { type: headers.get('content-type') ?? '' }) as never
      })
    },

    /**
     * Waits on the server in a single request. Most callers want `waitFor`, which repeats it and continues after the last email.
     * @param query.timeout in seconds, 0 to 60, default 30; `timeoutMs` of the client is added for the request
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { email, cursor } = await mayfly.emails.wait({ addressId: id, timeout: 5 })
     * if (!email) await mayfly.emails.wait({ addressId: id, after: cursor })
     */
    wait(query: EmailWaitQuery = {}, options?: RequestOptions): MayflyPromise<EmailWaitResult> {
      return waitForEmail(connection, query, options, (result) => {
        if (result.email) seen.add(result.email)
        return result
      })
    },

    /**
     * Waits for an email and returns it whole, with its codes and links. `WaitForOptions` describes the filters and the start.
     * @throws TimeoutError after `timeoutMs`; its message lists the mail that arrived instead
     * @throws NotFoundError, AuthenticationError and other errors that are not transient, at once
     * @example
     * const { id, address } = await mayfly.addresses.create()
     * console.log(`Sign up with ${address}`)
     * const { codes } = await mayfly.emails.waitFor({ addressId: id, from: 'shop.example', subject: /code/i })
     * console.log(codes[0])
     */
    async waitFor(options: WaitForOptions = {}): Promise<Email> {
      return (await waitFor(options)).email
    },
  }
}
