import { call } from '../call.ts'
import type { RequestOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import { Domains } from '../generated/sdk.gen.ts'
import type { Domain, DomainCreate, DomainCreated, Message } from '../generated/types.gen.ts'
import { needId } from '../ids.ts'

/** A domain after a check of its DNS records; `message` says what was found. */
export type DomainChecked = Domain & Message

/** `mayfly.domains`: custom domains for addresses, verified through DNS records. */
export function domainOperations(connection: Connection) {
  const api = new Domains({ client: connection.client })
  return {
    /**
     * Lists all custom domains of the account, newest first.
     * @example
     * for (const { domain, status } of await mayfly.domains.list()) console.log(domain, status)
     */
    async list(options?: RequestOptions): Promise<Domain[]> {
      const { body } = await call(connection, (request) => api.list(request), 'data', options)
      return body.data
    },

    /**
     * Adds a domain and returns the two DNS records to set. It is checked by and by for 48 hours.
     * @param wish.domain in any case; it comes back in lower case, international names in their `xn--` form
     * @throws InvalidRequestError when it can be nobody's: no domain, a public suffix such as `co.uk`, the server's own
     * @throws ConflictError when the domain is in use
     * @example
     * const { dnsRecords } = await mayfly.domains.create({ domain: 'qa.example.com' })
     * console.log(`MX ${dnsRecords.mx.host} ${dnsRecords.mx.priority} ${dnsRecords.mx.value}`)
     * console.log(`TXT ${dnsRecords.txt.host} ${dnsRecords.txt.value}`)
     */
    async create(wish: DomainCreate, options?: RequestOptions): Promise<DomainCreated> {
      const { body } = await call(connection, (request) => api.create({ ...request, body: wish }), 'data', options)
      return body.data
    },

    /**
     * Removes a domain. Addresses on it stop receiving mail, also when it is added again.
     * @throws NotFoundError when the account has no such domain
     * @example
     * const [domain] = await mayfly.domains.list()
     * if (domain) await mayfly.domains.delete(domain.id)
     */
    async delete(id: string, options?: RequestOptions): Promise<Message> {
      const path = { id: needId(id, 'domains.delete', 'a domain id') }
      const { body } = await call(connection, (request) => api.delete({ ...request, path }), 'message', options)
      return body
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
    async verify(id: string, options?: RequestOptions): Promise<DomainChecked> {
      const path = { id: needId(id, 'domains.verify', 'a domain id') }
      const { body } = await call(connection, (request) => api.verify({ ...request, path }), 'data', options)
      return { ...body.data, message: body.message }
    },
  }
}
