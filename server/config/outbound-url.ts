/** The route of mail to other hosts: kept here (capture), to the MX of each domain, or to one smart host. */
export type Outbound = { kind: 'capture' } | { kind: 'direct' } | { kind: 'smarthost', url: string }

/** By name, the values of the parameters that the URL of a smart host may have. */
const parameters: Record<string, string[]> = { tls: ['required'] }

const encode = 'In a user or a password, write / as %2F, @ as %40, # as %23, ? as %3F and % as %25'

/**
 * Checks MAYFLY_OUTBOUND. It may hold a password, so errors do not repeat it.
 * @throws Error whose message follows the name of the variable
 */
export function outbound(value: string): Outbound {
  if (value === 'capture' || value === 'direct') return { kind: value }
  if (!/^smtps?:\/\//.test(value)) throw new Error('takes capture, direct, or smtp://user:password@host:port, or smtps://')
  if (!URL.canParse(value)) throw new Error(`is not a URL such as smtp://user:password@host:port. ${encode}`)
  const { hostname, port, pathname, username, password, search, hash, searchParams } = new URL(value)
  // a part of a password that is not encoded would be taken for the host, and named in messages
  if (hash || pathname.length > 1 || search.includes('@')) throw new Error(`the URL has a /, # or @ behind its host. ${encode}`)
  if (!hostname || port === '0') throw new Error('the URL has no host, or the port 0: smtp://user:password@host:port')
  if (password && !username) throw new Error('the URL has a password without a user: smtp://user:password@host:port')
  const known = Object.keys(parameters).join(', ')
  for (const [name, chosen] of searchParams) {
    const values = parameters[name]
    if (!values) throw new Error(`the URL has a parameter that is none of ${known}`)
    if (!values.includes(chosen)) throw new Error(`${name} of the URL is none of ${values.join(', ')}`)
  }
  return { kind: 'smarthost', url: value }
}
