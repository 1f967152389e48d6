import { domainOf } from './mailbox.ts'

/** The addresses that may create an account by signing in: none, all, or those at these mail domains. */
export type SignUp = 'closed' | 'open' | readonly string[]

/** @throws Error for a value that is none of these */
export function signUp(value: string): SignUp {
  if (value === 'closed' || value === 'open') return value
  const domains = value.split(',').map((part) => part.trim()).filter(Boolean).map(mailDomain)
  if (domains.length > 0) return domains
  throw new Error('takes closed, open, or mail domains such as example.com, separated by commas')
}

function mailDomain(value: string): string {
  const domain = domainOf(value)
  if (domain) return domain
  throw new Error(`"${value}" is not closed, open, or a mail domain such as example.com`)
}

/** @returns the address in lower case, as accounts have it */
export function emailAddress(value: string): string {
  if (value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value)) return value.toLowerCase()
  throw new Error(`"${value}" is not an email address such as ada@example.com`)
}
