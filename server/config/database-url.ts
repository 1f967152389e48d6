import { accessSync, constants } from 'node:fs'

/** Parameters that a URL may have. Others would have no effect, such as a mistyped `sslmode`, without which nothing is encrypted. */
const parameters = ['application_name', 'host', 'sslcert', 'sslkey', 'sslmode', 'sslrootcert']
/** As PostgreSQL's own programs know them, without those that are content with an unencrypted connection. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']

/** Whether MAYFLY_DATABASE names a database of a PostgreSQL server. */
export const isDatabaseUrl = (value: string): boolean => /^postgres(ql)?:\/\//i.test(value)

/**
 * Checks the URL of a database. It may hold a password, so errors do not repeat it.
 * @throws Error whose message follows the name of the variable
 */
export function checkDatabaseUrl(value: string): string {
  const encode = 'In a password, write / as %2F, # as %23, ? as %3F and @ as %40'
  if (!URL.canParse(value)) throw new Error(`is not a URL such as postgres://user:password@host:5432/name. ${encode}`)
  const url = new URL(value)
  // a part of a password that is not encoded would be taken for the host, and named in messages
  if (url.hash || `${url.pathname}${url.search}`.includes('@')) throw new Error(`the URL has a # or an @ behind its host. ${encode}`)
  if (!url.hostname) throw new Error('the URL has no host: postgres://user@host/name, for a socket postgres://user@localhost/name?host=/folder')
  if (!url.username) throw new Error('the URL has no user: postgres://user@host/name')
  if (!isDecodable(`${url.username}${url.password}${url.pathname}`)) throw new Error('the URL has a % that begins no encoded character. Write % as %25')
  if (url.pathname.length < 2 || url.pathname.slice(1).includes('/')) throw new Error('the URL does not end with the name of a database: postgres://user@host/name')
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown === 'password') throw new Error('a password stands before the @ of the URL, or in the file that MAYFLY_DATABASE_PASSWORD_FILE names')
  if (unknown !== undefined) throw new Error(`the URL has a parameter that is none of ${parameters.join(', ')}`)
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !sslModes.includes(mode)) throw new Error(`sslmode of the URL is none of ${sslModes.join(', ')}`)
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
    throw new Error('sslmode=verify-ca needs sslrootcert, a file with the certificate of the authority; verify-full takes those of the public authorities as well')
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) checkFile(name, url.searchParams.get(name))
  return value
}

function checkFile(name: string, path: string | null) {
  try {
    if (path !== null) accessSync(path, constants.R_OK)
  } catch {
    throw new Error(`${name} of the URL: the file ${path} cannot be read`)
  }
}

/** @param text the content of the file, of which a line break at the end is no part */
export function passwordOf(file: string, text: string): string {
  const password = text.replace(/\r?\n$/, '')
  if (file && !password) throw new Error(`the file ${file} is empty`)
  return password
}

/** @param password as it is, not encoded */
export function withPassword(withoutOne: string, password: string): string {
  const url = new URL(withoutOne)
  url.password = encodeURIComponent(password)
  return url.href
}

/** The database as messages name it: a file, or a URL without its password and parameters. */
export function databaseLabel(database: string): string {
  if (!isDatabaseUrl(database)) return database
  const { protocol, username, host, pathname } = new URL(database)
  return `${protocol}//${username}@${host}${pathname}`
}

function isDecodable(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
