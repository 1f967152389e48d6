import { NotFoundError } from '../core/errors.ts'
import { requireId } from '../core/ids.ts'
import type { RequestOptions } from '../core/options.ts'
import type { Address, AddressCreate, AddressCreated, Email, SmtpLogin } from '../generated/types.gen.ts'
import type { TextFilter, WaitForOptions, WaitInput } from '../wait-for/options.ts'
import type { WaitFor } from '../wait-for/wait.ts'
import type { addressOperations } from './addresses.ts'
import type { EmailListQuery } from './email-list.ts'
import { inboxId } from './email-requests.ts'
import type { emailOperations } from './emails.ts'

type Addresses = ReturnType<typeof addressOperations>
type Emails = Pick<ReturnType<typeof emailOperations>, 'list'>

/** The options of `inbox.waitFor` and `inbox.waitForCode`. */
export type InboxWaitOptions = Omit<WaitForOptions, 'addressId'>

/** The options of `inbox.waitForLink`. */
export interface InboxLinkOptions extends InboxWaitOptions {
  /** Text in the text of the link, in any case; or an expression that it matches. */
  text?: TextFilter
  /** Text in the URL of the link, in any case; or an expression that it matches. */
  url?: TextFilter
}

/** Maximum number of addresses among which one is looked for: ten requests. */
const maxSearched = 1_000

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
  /** Its SMTP login, with the password; null unless `inboxes.create` made one by `smtpLogin`. */
  readonly smtp: SmtpLogin | null
  readonly #addresses: Addresses
  readonly #emails: Emails
  readonly #waitFor: WaitFor

  constructor(
    { id, address, expiresAt, smtp }: Pick<AddressCreated, 'id' | 'address' | 'expiresAt'> & { smtp?: SmtpLogin | null }, addresses: Addresses,
    emails: Emails, waitFor: WaitFor,
  ) {
    this.id = id
    this.address = address
    this.expiresAt = expiresAt
    this.smtp = smtp ?? null
    this.#addresses = addresses
    this.#emails = emails
    this.#waitFor = waitFor
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
  async waitFor(options: InboxWaitOptions = {}): Promise<Email> {
    return (await this.#waitFor(options, { id: this.id, address: this.address })).email
  }

  /**
   * Waits for mail of this inbox that has a one-time code, and returns the most likely code. It skips mail without a code.
   * @throws TimeoutError after `timeoutMs`; its message lists the mail that arrived instead
   * @example
   * const inbox = await mayfly.inboxes.create()
   * console.log(`Sign up with ${inbox.address}`)
   * const code = await inbox.waitForCode()
   * console.log(code)
   */
  waitForCode(options: InboxWaitOptions = {}): Promise<string> {
    return this.#waitForPart(options, 'Code')
  }

  /**
   * Waits for mail of this inbox that has such a link, and returns its URL: without `text` and `url`, that of the likely call to action.
   * It skips mail without such a link.
   * @throws TimeoutError after `timeoutMs`; its message lists the mail that arrived instead
   * @example
   * const inbox = await mayfly.inboxes.create()
   * console.log(`Sign up with ${inbox.address}`)
   * const url = await inbox.waitForLink({ url: /confirm/ })
   * console.log(url)
   */
  waitForLink(options: InboxLinkOptions = {}): Promise<string> {
    return this.#waitForPart(options, 'Link')
  }

  async #waitForPart(options: WaitInput, part: 'Code' | 'Link'): Promise<string> {
    return (await this.#waitFor(options, { id: this.id, address: this.address, part })).part!
  }

  /**
   * Lists the mail of this inbox, newest first: see `emails.list`.
   * @example
   * const inbox = await mayfly.inboxes.create()
   * console.log((await inbox.list({ type: 'received' })).total) // 0
   */
  list(query: Omit<EmailListQuery, 'addressId'> = {}, options?: RequestOptions): ReturnType<Emails['list']> {
    const own = { ...query, [inboxId]: this.id }
    return this.#emails.list(own, options)
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
export function inboxOperations(addresses: Addresses, emails: Emails, waitFor: WaitFor) {
  const toInbox = (address: Address | AddressCreated) => new Inbox(address, addresses, emails, waitFor)
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
      return toInbox(await addresses.create(input, options))
    },

    /**
     * Returns the inbox of an address that exists. An email address is looked for among the newest 1,000 addresses of the account.
     * A wait of this inbox begins with its call, unless it has an `after`.
     * @param addressOrId the email address, in any case, with a `+tag` or without; or the id of the address
     * @throws NotFoundError when the account has no such address
     * @example
     * const { address } = await mayfly.addresses.create({ alias: 'checkout' })
     * const inbox = await mayfly.inboxes.open(address)
     * console.log((await inbox.list()).total)
     */
    async open(addressOrId: string, options?: RequestOptions): Promise<Inbox> {
      const wanted = `${addressOrId}`.toLowerCase().replace(/\+[^@]*/, '')
      if (!wanted.includes('@')) return toInbox(await addresses.get(requireId(addressOrId, 'inboxes.open: addressOrId'), options))
      let count = 0
      for await (const found of addresses.list({ limit: 100 }, options)) {
        if (found.address === wanted) return toInbox(found)
        if (++count === maxSearched) break
      }
      throw new NotFoundError(`The account has no address ${wanted}${count < maxSearched ? '' : ` among its newest ${maxSearched}. Open it by its id`}.`, {
        status: 404, code: 'NOT_FOUND', headers: new Headers(),
      })
    },
  }
}
