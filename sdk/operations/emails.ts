import { call, download } from '../call.ts'
import type { RequestOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import type { EmailListQuery, EmailPage } from '../email-list.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import { readFilename } from '../filename.ts'
import { Addresses, Emails } from '../generated/sdk.gen.ts'
import type { Deleted, Email, EmailSend, EmailUpdate } from '../generated/types.gen.ts'
import { needId, toCursor } from '../ids.ts'
import type { WaitForOptions } from '../wait-for/options.ts'
import type { EmailWaitQuery, EmailWaitResult, Mailbox } from '../wait-for/search.ts'
import type { Shown } from '../wait-for/shown.ts'
import { waitFor } from '../wait-for/wait-for.ts'

/** `mayfly.emails`: mail that the addresses received or sent. */
export function emailOperations(connection: Connection, shown: Shown) {
  const api = new Emails({ client: connection.client })

  async function fetchPage({ addressId, isDeleted, after, ...rest }: EmailListQuery, options?: RequestOptions) {
    const query = {
      ...rest,
      ...addressId !== undefined && { address_id: needId(addressId, 'emails.list', 'addressId to be an address id') },
      ...isDeleted !== undefined && { is_deleted: isDeleted ? 'true' as const : 'false' as const },
      ...after !== undefined && { after: toCursor(after, 'emails.list') },
    }
    const { body, headers } = await call(connection, (request) => api.list({ ...request, query }), 'data', options)
    return { page: body, headers }
  }

  async function fetchEmail(id: string, options?: RequestOptions) {
    const path = { id: needId(id, 'emails.get', 'an email id') }
    const { body } = await call(connection, (request) => api.get({ ...request, path }), 'data', options)
    return body.data
  }

  async function fetchWait({ addressId, after, ...rest }: EmailWaitQuery, options?: RequestOptions) {
    const query = {
      ...rest,
      ...addressId !== undefined && { address_id: needId(addressId, 'emails.wait', 'addressId to be an address id') },
      ...after !== undefined && { after: toCursor(after, 'emails.wait') },
    }
    const { body, headers } = await call<{ data: Email }>(
      connection, (request) => api.wait({ ...request, query }) as Promise<{ data: { data: Email } }>, 'data', { ...options, mayBeEmpty: true },
    )
    const email = body.data as Email | undefined
    return { email, cursor: headers.get('x-mayfly-cursor') ?? email?.id ?? '', headers }
  }

  async function fetchAddress(id: string, options?: RequestOptions) {
    return call(connection, (request) => new Addresses({ client: connection.client }).get({ ...request, path: { id } }), 'data', options)
  }

  const mailbox: Mailbox = {
    fetchPage, fetchEmail, fetchWait, fetchAddress, shown, timeoutMs: connection.timeoutMs, waits: 0, canAsk: true, longestAsk: 25,
  }

  return {
    /**
     * Lists emails, newest first, or those that have the words of `q`. Long bodies are cut, see `isTruncated`; `get` has all of an email.
     * @throws InvalidRequestError when a value is out of range
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { data, total, cursor } = await mayfly.emails.list({ addressId: id, type: 'received' })
     * for (const { from, subject, receivedAt } of data) console.log(receivedAt, from, subject)
     * const later = await mayfly.emails.list({ addressId: id, after: cursor })
     * console.log(total, later.total)
     * const found = await mayfly.emails.list({ q: 'shop.example invoice', limit: 10 })
     * console.log(found.data.map(({ subject }) => subject), found.hasMore)
     */
    async list(query: EmailListQuery = {}, options?: RequestOptions): Promise<EmailPage> {
      const { page } = await fetchPage(query, options)
      for (const email of page.data) shown.show(email, page.cursor)
      return page
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
    async get(id: string, options?: RequestOptions): Promise<Email> {
      const email = await fetchEmail(id, options)
      shown.show(email)
      return email
    },

    /**
     * Sends an email from one of the account's active addresses. It is queued; `get` shows its `status` at once.
     * @throws ConflictError when the address has expired
     * @throws NotFoundError when the account has no such address
     * @throws InvalidRequestError when `to` is not exactly one address, or a text is too long
     * @example
     * const { id: fromAddressId } = await mayfly.addresses.create()
     * const { id } = await mayfly.emails.send({
     *   fromAddressId, to: 'support@shop.example', subject: 'Where is my order?', body: 'It is number 1042.',
     * })
     * console.log((await mayfly.emails.get(id)).status)
     */
    async send(email: EmailSend, options?: RequestOptions): Promise<{ id: string }> {
      const { body } = await call(connection, (request) => api.send({ ...request, body: email }), 'data', options)
      return body.data
    },

    /**
     * Marks an email as read or starred, or takes the mark away.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) await mayfly.emails.update(data[0].id, { isRead: true, isStarred: false })
     */
    async update(id: string, marks: EmailUpdate, options?: RequestOptions): Promise<Email> {
      const path = { id: needId(id, 'emails.update', 'an email id') }
      const { body } = await call(connection, (request) => api.update({ ...request, path, body: marks }), 'data', options)
      return body.data
    },

    /**
     * Deletes an email softly: `list({ isDeleted: true })` still has it.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) await mayfly.emails.delete(data[0].id)
     */
    async delete(id: string, options?: RequestOptions): Promise<Deleted> {
      const path = { id: needId(id, 'emails.delete', 'an email id') }
      const { body } = await call(connection, (request) => api.delete({ ...request, path }), 'data', options)
      return body.data
    },

    /**
     * Returns the source of an email, byte for byte.
     * @throws NotFoundError when the account has no such email
     * @example
     * const { data } = await mayfly.emails.list({ limit: 1 })
     * if (data[0]) {
     *   const source = await mayfly.emails.raw(data[0].id)
     *   console.log(source.size, await source.text())
     * }
     */
    async raw(id: string, options?: RequestOptions): Promise<Blob> {
      const path = { id: needId(id, 'emails.raw', 'an email id') }
      const { blob, headers } = await download(connection, (request) => api.raw({ ...request, path }), options)
      if (blob.type.startsWith('message/')) return blob
      throw new UnexpectedAnswerError(
        `${connection.baseUrl} answered with ${blob.type || 'no content type'} that is no email. Check baseUrl.`,
        { status: 200, headers },
      )
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
    async attachment(emailId: string, attachmentId: string, options?: RequestOptions): Promise<File> {
      const path = {
        emailId: needId(emailId, 'emails.attachment', 'an email id'),
        attachmentId: needId(attachmentId, 'emails.attachment', 'an attachment id'),
      }
      const { blob, headers } = await download(connection, (request) => api.attachment({ ...request, path }), options)
      const name = readFilename(headers.get('content-disposition')) ?? attachmentId
      return new File([blob], name, { type: headers.get('content-type') ?? '' })
    },

    /**
     * Asks the server once to wait: the operation beneath `waitFor`, which most callers want. Nothing is remembered or repeated.
     * @param query.timeout in seconds, 0 to 60, default 30; the request may take as much longer as any other
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { email, cursor } = await mayfly.emails.wait({ addressId: id, timeout: 5 })
     * if (!email) await mayfly.emails.wait({ addressId: id, after: cursor })
     */
    async wait(query: EmailWaitQuery = {}, options: RequestOptions = {}): Promise<EmailWaitResult> {
      const timeoutMs = options.timeoutMs ?? (query.timeout ?? 30) * 1000 + connection.timeoutMs
      const { email, cursor } = await fetchWait(query, { ...options, timeoutMs })
      if (email) shown.show(email, cursor)
      return { email, cursor }
    },

    /**
     * Waits for an email and returns it whole, with its codes and links. `WaitForOptions` tells what it waits for.
     * @throws TimeoutError after `timeoutMs`; its message says what did arrive
     * @throws NotFoundError, AuthenticationError and others that waiting cannot mend, at once
     * @example
     * const { id, address } = await mayfly.addresses.create()
     * console.log(`Sign up with ${address}`)
     * const { codes } = await mayfly.emails.waitFor({ addressId: id, from: 'shop.example', subject: /code/i })
     * console.log(codes[0])
     */
    async waitFor(options: WaitForOptions = {}): Promise<Email> {
      return waitFor(mailbox, options)
    },
  }
}
