import { NotFoundError } from '../core/errors.ts'
import type { RequestOptions } from '../core/options.ts'
import type { AddressCreate, AddressCreated, Email } from '../generated/types.gen.ts'
import type { WaitForOptions } from '../wait-for/options.ts'
import type { addressOperations } from './addresses.ts'
import type { EmailListQuery } from './email-list.ts'
import type { emailOperations } from './emails.ts'

type Addresses = Pick<ReturnType<typeof addressOperations>, 'create' | 'delete'>
type Emails = Pick<ReturnType<typeof emailOperations>, 'list' | 'waitFor'>

/**
 * A temporary address with methods for its mail. `await using` deletes it at the end of the block; without `await using`,
 * `inbox.delete()` does.
 */
export class Inbox {
  /** Id of the address. */
  readonly id: string
  /** The full email address. */
  readonly address: string
  /** When its lifetime ends. */
  readonly expiresAt: Date
  readonly #addresses: Addresses
  readonly #emails: Emails

  constructor({ id, address, expiresAt }: AddressCreated, addresses: Addresses, emails: Emails) {
    this.id = id
    this.address = address
    this.expiresAt = expiresAt
    this.#addresses = addresses
    this.#emails = emails
  }

  /**
   * Waits for mail of this inbox and returns the oldest email that it has not returned yet: see `emails.waitFor`.
   * @throws TimeoutError after `timeoutMs`; its message lists the mail that arrived instead
   * @example
   * const inbox = await mayfly.inboxes.create()
   * console.log(`Sign up with ${inbox.address}`)
   * const { codes } = await inbox.waitFor({ subject: /code/i })
   * console.log(codes[0])
   */
  waitFor(options: Omit<WaitForOptions, 'addressId'> = {}): Promise<Email> {
    return this.#emails.waitFor({ ...options, addressId: this.id })
  }

  /**
   * Lists the mail of this inbox, newest first: see `emails.list`.
   * @example
   * const inbox = await mayfly.inboxes.create()
   * console.log((await inbox.list({ type: 'received' })).total) // 0
   */
  list(query: Omit<EmailListQuery, 'addressId'> = {}, options?: RequestOptions): ReturnType<Emails['list']> {
    return this.#emails.list({ ...query, addressId: this.id }, options)
  }

  /**
   * Deletes the address and all its mail, permanently. An address that does not exist any more is no error.
   * @example
   * const inbox = await mayfly.inboxes.create()
   * await inbox.delete()
   */
  async delete(options?: RequestOptions): Promise<void> {
    await this.#addresses.delete(this.id, options).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error
    })
  }

  /** Called by `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete()
  }
}

/** `mayfly.inboxes`: temporary addresses with methods for their mail. */
export function inboxOperations(addresses: Addresses, emails: Emails) {
  return {
    /**
     * Issues an address and returns it as an inbox. The input is that of `addresses.create`.
     * @throws ConflictError when the address is taken, or the domain or forwarding address is not verified
     * @example
     * {
     *   await using inbox = await mayfly.inboxes.create({ expiresIn: 600 })
     *   console.log(`Sign up with ${inbox.address}`)
     *   const { links } = await inbox.waitFor({ timeoutMs: 60_000 })
     *   console.log(links[0]?.url)
     * } // the address and its mail are deleted here
     */
    async create(input?: AddressCreate, options?: RequestOptions): Promise<Inbox> {
      return new Inbox(await addresses.create(input, options), addresses, emails)
    },
  }
}
