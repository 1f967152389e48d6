import { getPublicSuffix } from 'tldts'
import type { App } from '../context.ts'
import { invalidRequest } from '../errors.ts'
import { domainOf } from '../mailbox.ts'
import { isVerifiedDomain } from '../store/addresses/domains.ts'

/**
 * The name of a domain that an account may add, in lower case and as A-labels.
 * @throws AppError `INVALID_REQUEST` when it is malformed, a public suffix, or a domain of this server
 */
export function customDomainName({ config }: Pick<App, 'config'>, written: string): string {
  const name = domainOf(written)
  if (!name || name.lastIndexOf('.') > name.length - 3) throw refusal('must be a domain such as qa.example.com')
  if (isPublicSuffix(name)) throw refusal(`is a public suffix, which many organizations share. Add your own domain, such as example.${name}`)
  if (isOwn(config, name)) throw refusal('belongs to this server. Leave the domain of an address out to have it there')
  return name
}

/** Whether this server receives the mail of a domain, so that its users can have addresses there. */
export async function isOwnDomain({ config, db }: App, domain: string): Promise<boolean> {
  return domain === config.defaultDomain || domain === config.mxHost || await isVerifiedDomain(db, domain)
}

/** Suffixes of registries (`co.uk`) and of hosting providers (`github.io`); unlisted suffixes are accepted as domains. */
const isPublicSuffix = (name: string) => name.includes('.') &&
  getPublicSuffix(name, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) === name

/** Parent domains of the default one are refused too: their holder could redirect its mail. */
const isOwn = ({ defaultDomain, mxHost }: App['config'], name: string) =>
  name === mxHost || name === defaultDomain || name.endsWith(`.${defaultDomain}`) || defaultDomain.endsWith(`.${name}`)

const refusal = (message: string) => invalidRequest('body.domain', message)
