import { messageAlone } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import { pageInData, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type { Domain, DomainCreate, DomainCreated, DomainUpdate, Message } from '../generated/types.gen.ts'

/** A domain after a check of its DNS records; `message` is the result of the check. */
export type DomainChecked = DomainCreated & Message

/** `mayfly.domains`: custom domains for addresses, verified through DNS records. */
export function domainOperations({ call }: Connection) {
  return {
    /**
     * Lists all custom domains of the account, newest first.
     * @example
     * for (const { domain, status } of await mayfly.domains.list()) console.log(domain, status)
     */
    list(options?: RequestOptions): MayflyList<Domain[], Domain> {
      return toList({}, () => call('domains.list', {}, options, pageInData))
    },

    /**
     * Adds a domain and returns the two DNS records to set. The server checks them repeatedly for 48 hours.
     * @param input.domain in any case; the answer has it in lower case, an international name in its `xn--` form
     * @throws InvalidRequestError when `domain` is not a domain, or is a public suffix such as `co.uk` or the server's own domain
     * @throws ConflictError when the domain is in use
     * @example
     * const { dnsRecords } = await mayfly.domains.create({ domain: 'qa.example.com' })
     * console.log(`MX ${dnsRecords.mx.host} ${dnsRecords.mx.priority} ${dnsRecords.mx.value}`)
     * console.log(`TXT ${dnsRecords.txt.host} ${dnsRecords.txt.value}`)
     */
    create(input: DomainCreate, options?: RequestOptions): MayflyPromise<DomainCreated> {
      return call('domains.create', { body: input }, options)
    },

    /**
     * Chooses the address that gets mail to names at the domain that were not issued.
     * @param input.catchAllId the id of an active address; null for none
     * @throws NotFoundError when the account has no such domain
     * @throws InvalidRequestError when it has no such active address
     * @example
     * const [domain] = await mayfly.domains.list()
     * const { id } = await mayfly.addresses.create()
     * if (domain) await mayfly.domains.update(domain.id, { catchAllId: id })
     */
    update(id: string, input: DomainUpdate, options?: RequestOptions): MayflyPromise<Domain> {
      return call('domains.update', { path: { id }, body: input }, options)
    },

    /**
     * Removes a domain. Its addresses stop receiving mail, and stay so when the domain is added again.
     * @throws NotFoundError when the account has no such domain
     * @example
     * const [domain] = await mayfly.domains.list()
     * if (domain) await mayfly.domains.delete(domain.id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('domains.delete', { path: { id } }, options, messageAlone)
    },

    /**
     * Checks a domain's DNS records now, waiting at most two seconds for the name servers.
     * @throws NotFoundError when the account has no such domain
     * @throws ConflictError when another account has verified it
     * @example
     * const { id } = await mayfly.domains.create({ domain: 'qa.example.com' })
     * const { status, message } = await mayfly.domains.verify(id)
     * console.log(status, message)
     */
    verify(id: string, options?: RequestOptions): MayflyPromise<DomainChecked> {
      return call('domains.verify', { path: { id } }, options, ({ data, message }) => ({ ...data, message }))
    },
  }
}
