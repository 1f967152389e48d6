import { client } from '../client.ts'
import { said } from '../connection.ts'
import type { Connection } from '../connection.ts'
import { domainsCreate, domainsDelete, domainsList, domainsVerify } from '../generated/sdk.gen.ts'
import type { Domain, DomainCreate, DomainCreated, Message } from '../generated/types.gen.ts'
import type { RequestOptions } from '../options.ts'
import { itemsInData, toWholeList } from '../pages.ts'
import type { MayflyList } from '../pages.ts'
import type { MayflyPromise } from '../promise.ts'

/** A domain after a check of its DNS records, which it shows again; `message` says what was found. */
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
      return toWholeList(call('domains.list', domainsList({ client }), options, itemsInData))
    },

    /**
     * Adds a domain and returns the two DNS records to set. It is checked by and by for 48 hours.
     * @param wish.domain in any case; it comes back in lower case, international names in their `xn--` form
     * @throws InvalidRequestError when it is no domain, a public suffix such as `co.uk`, or the server's own
     * @throws ConflictError when the domain is in use
     * @example
     * const { dnsRecords } = await mayfly.domains.create({ domain: 'qa.example.com' })
     * console.log(`MX ${dnsRecords.mx.host} ${dnsRecords.mx.priority} ${dnsRecords.mx.value}`)
     * console.log(`TXT ${dnsRecords.txt.host} ${dnsRecords.txt.value}`)
     */
    create(wish: DomainCreate, options?: RequestOptions): MayflyPromise<DomainCreated> {
      return call('domains.create', domainsCreate({ client, body: wish }), options)
    },

    /**
     * Removes a domain. Addresses on it stop receiving mail, also when it is added again.
     * @throws NotFoundError when the account has no such domain
     * @example
     * const [domain] = await mayfly.domains.list()
     * if (domain) await mayfly.domains.delete(domain.id)
     */
    delete(id: string, options?: RequestOptions): MayflyPromise<Message> {
      return call('domains.delete', domainsDelete({ client, path: { id } }), options, said)
    },

    /**
     * Checks a domain's DNS records now, waiting two seconds at most for the name servers.
     * @throws NotFoundError when the account has no such domain
     * @throws ConflictError when another account has verified it
     * @example
     * const { id } = await mayfly.domains.create({ domain: 'qa.example.com' })
     * const { status, message } = await mayfly.domains.verify(id)
     * console.log(status, message)
     */
    verify(id: string, options?: RequestOptions): MayflyPromise<DomainChecked> {
      return call('domains.verify', domainsVerify({ client, path: { id } }), options, ({ data, message }) => ({ ...data, message }))
    },
  }
}
