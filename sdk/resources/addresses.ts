import { messageAlone } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import { page, pageInData, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type {
  Address, AddressCreate, AddressCreated, AddressesListData, AddressPage, AddressUpdate, Deleted, Message, SmtpActivity,
  SmtpActivityListAnswer, SmtpFaults, SmtpFaultStep, SmtpLogin,
} from '../generated/types.gen.ts'
import type { SeenMail } from '../wait-for/seen-mail.ts'

export type AddressListQuery = NonNullable<AddressesListData['query']>

/** `mayfly.addresses`: temporary addresses, each with a lifetime. */
export function addressOperations({ call }: Connection, seen: SeenMail) {
  return {
    /**
     * Lists the account's addresses, newest first, expired ones included.
     * @param query.status only `active` or only `expired` addresses
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of addresses to skip, at most 10,000
     * @param query.before the id of an address: only older addresses
     * @throws InvalidRequestError when a value is out of range
     * @example
     * const { addresses, total } = await mayfly.addresses.list({ status: 'active', limit: 50 })
     * for (const { address, expiresAt } of addresses) console.log(address, expiresAt.toISOString())
     * console.log(`${total} in all`)
     */
    list(query: AddressListQuery = {}, options?: RequestOptions): MayflyList<AddressPage, Address> {
      return toList(query, (part) => call('addresses.list', { query: part }, options, pageInData))
    },

    /**
     * Issues an address that receives mail from now until it expires. `alias+tag@domain` reaches it too.
     * @param input.alias the part before the @; default: random, readable and not guessable
     * @param input.domain a verified custom domain; default: the server's own
     * @param input.expiresIn lifetime in seconds, 60 up to the plan's maximum, which is also the default
     * @param input.forwardToId a verified forwarding address that its mail is forwarded to
     * @param input.smtpLogin whether it gets an SMTP login, whose password is in the answer
     * @param input.allowedSenders, input.blockedSenders see `update`
     * @throws ConflictError when the address is taken, or the domain or forwarding address is not verified
     * @throws InvalidRequestError when the alias is malformed or the lifetime out of range
     * @example
     * const { id, address } = await mayfly.addresses.create({ alias: 'newsletter', expiresIn: 3600 })
     * console.log(`Sign up with ${address}`, id)
     */
    create(input: AddressCreate = {}, options?: RequestOptions): MayflyPromise<AddressCreated> {
      return call('addresses.create', { body: input }, options, ({ data }) => {
        seen.issued(data.id)
        return data
      })
    },

    /**
     * Returns an address, with the number of its emails and the time of the latest.
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { emailCount, lastEmailAt } = await mayfly.addresses.get(id)
     * console.log(emailCount, lastEmailAt?.toISOString() ?? 'no mail yet')
     */
    get(id: string, options?: RequestOptions): MayflyPromise<Address> {
      return call('addresses.get', { path: { id } }, options)
    },

    /**
     * Changes whose mail an address takes.
     * @param input.allowedSenders the only senders: `a@shop.example`, `@shop.example` for a domain, `@*.shop.example` for its subdomains
     * @param input.blockedSenders senders that it refuses, also allowed ones
     * @throws NotFoundError when the account has no such address
     * @throws InvalidRequestError when a sender is malformed
     * @example
     * const { id } = await mayfly.addresses.create({ allowedSenders: ['@github.com'] })
     * await mayfly.addresses.update(id, { allowedSenders: ['@github.com', '@*.github.com'] })
     */
    update(id: string, input: AddressUpdate, options?: RequestOptions): MayflyPromise<Address> {
      return call('addresses.update', { path: { id }, body: input }, options)
    },

    /**
     * Deletes an address and all its emails, permanently.
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { deleted } = await mayfly.addresses.delete(id)
     * console.log(deleted) // true
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Deleted> {
      return call('addresses.delete', { path: { id } }, options, ({ data }) => {
        seen.removed(id)
        return data
      })
    },

    /**
     * Lists what SMTP clients tried at an address, and how it was answered, newest first.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of tries to skip, at most 10,000
     * @param query.before the id of a try: only older ones
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * for (const { stage, code, text } of (await mayfly.addresses.activity(id)).data) console.log(stage, code, text)
     */
    activity(
      id: string, query: { limit?: number, offset?: number, before?: string } = {}, options?: RequestOptions,
    ): MayflyList<SmtpActivityListAnswer, SmtpActivity> {
      return toList(query, (part) => call('addresses.activity', { path: { id }, query: part }, options, page))
    },

    /**
     * Makes or replaces the SMTP login of an address: whatever a program sends with it, to any recipients, arrives in this address.
     * @returns user name, password (shown once), host, port, and all of it as a URL that most mailers take
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * const { url } = await mayfly.addresses.createSmtpLogin(id)
     * console.log(`SMTP_URL=${url}`)
     */
    createSmtpLogin(id: string, options?: RequestOptions): MayflyPromise<SmtpLogin> {
      return call('addresses.createSmtpLogin', { path: { id } }, options)
    },

    /**
     * Ends the SMTP login of an address: its sessions end at their next command. Its emails stay.
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create({ smtpLogin: true })
     * await mayfly.addresses.deleteSmtpLogin(id)
     */
    deleteSmtpLogin(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('addresses.deleteSmtpLogin', { path: { id } }, options, messageAlone)
    },

    /**
     * Has SMTP fail on purpose for an address, to test how an app copes with it. Replaces the steps; `activity` shows the tries.
     * @param steps at most 50; those of one stage are taken in their order
     * @throws NotFoundError when the account has no such address
     * @throws InvalidRequestError when members of a step do not fit each other
     * @example
     * const { id, smtp } = await mayfly.addresses.create({ smtpLogin: true })
     * await mayfly.addresses.setSmtpFaults(id, [{ at: 'rcpt', code: 451, text: 'Try again later', times: 2 }])
     */
    setSmtpFaults(id: string, steps: SmtpFaultStep[], options?: RequestOptions): MayflyPromise<SmtpFaults> {
      return call('addresses.setSmtpFaults', { path: { id }, body: { steps } }, options)
    },

    /**
     * Returns the SMTP faults of an address that are left.
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * console.log((await mayfly.addresses.getSmtpFaults(id)).steps)
     */
    getSmtpFaults(id: string, options?: RequestOptions): MayflyPromise<SmtpFaults> {
      return call('addresses.getSmtpFaults', { path: { id } }, options)
    },

    /**
     * Ends the SMTP faults of an address.
     * @throws NotFoundError when the account has no such address
     * @example
     * const { id } = await mayfly.addresses.create()
     * await mayfly.addresses.clearSmtpFaults(id)
     */
    clearSmtpFaults(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('addresses.clearSmtpFaults', { path: { id } }, options, messageAlone)
    },
  }
}
