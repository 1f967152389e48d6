import { Client } from 'pg'
import { databaseLabel } from '../../../config/database-url.ts'
import { codeOf, isLost } from './errors.ts'
import { connectTimeoutMs, settingsOf } from './pool.ts'

/** The oldest version whose SQL this program uses (14). */
const minVersion = 140_000

const queryTimeoutMs = 10_000

/** A database that cannot be used. The message names it, without its password, and the way out. */
export class UnusableDatabase extends Error {
  override readonly name = 'ConfigError'
  /** Whether it can pass by itself, such as while the server starts. */
  readonly isTransient: boolean

  constructor(url: string, { text, isTransient = false }: Reason, cause?: unknown) {
    super(`MAYFLY_DATABASE: ${databaseLabel(url)} ${text}`, { cause })
    this.isTransient = isTransient
  }
}

interface Reason {
  text: string
  isTransient?: boolean
}

/**
 * Runs queries on a connection of its own.
 * @throws UnusableDatabase when the server cannot be reached, or refuses this user
 */
export async function onConnection<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  let client: Client | undefined
  try {
    client = new Client({ ...settingsOf(url), connectionTimeoutMillis: connectTimeoutMs, query_timeout: queryTimeoutMs })
    client.on('error', () => {}) // a query reports that the connection is lost
    await client.connect()
    return await run(client)
  } catch (error) {
    if (error instanceof UnusableDatabase) throw error
    throw new UnusableDatabase(url, reasonOf(url, error), error)
  } finally {
    await client?.end().catch(() => {}) // the connection is lost already
  }
}

/** @throws UnusableDatabase when this program cannot work with the database */
export async function checkPostgres(url: string, { isMoveTarget = false } = {}): Promise<void> {
  await onConnection(url, async (client) => {
    const { rows: [found] } = await client.query<Found>(`select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only,
      to_regclass('migrations') is null as is_new, to_regclass('accounts') is not null as has_accounts,
      coalesce(has_table_privilege(to_regclass('migrations'), 'select'), true) as may_read,
      to_regclass('move_progress') is not null as is_moving, coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`)
    const reason = findReason(url, found!, isMoveTarget)
    if (reason) throw new UnusableDatabase(url, reason)
  })
}

interface Found {
  version: number
  encoding: string
  is_read_only: boolean
  is_new: boolean
  has_accounts: boolean
  may_read: boolean
  is_moving: boolean
  may_create: boolean
}

function findReason(url: string, found: Found, isMoveTarget: boolean): Reason | undefined {
  const { username, pathname } = new URL(url)
  if (found.version < minVersion) {
    return { text: `is on PostgreSQL ${Math.floor(found.version / 10_000)}. Mayfly needs version ${minVersion / 10_000} or a newer one.` }
  }
  if (found.encoding !== 'UTF8') {
    return { text: `has the encoding ${found.encoding}. Make it anew: create database ${pathname.slice(1)} encoding 'UTF8' template template0` }
  }
  if (found.is_read_only) {
    return { text: 'only reads: it is a standby, or set to default_transaction_read_only. Name the primary, or promote it.', isTransient: true }
  }
  if (!found.may_read) return reasons[42501]!(new URL(url))
  if (found.is_new && found.has_accounts) {
    return { text: 'has a table "accounts" that is not of Mayfly. Name a database of its own.' }
  }
  if (found.is_new && !found.may_create) {
    return { text: `lets the user ${username} make no tables. As its owner run: grant create on schema public to ${username}` }
  }
  if (found.is_moving && !isMoveTarget) {
    return { text: 'has a part of a database: "mayfly move" is not finished. Run it again, with the same --from, or make the database empty.' }
  }
  return undefined
}

/** Texts that follow the name of the database, by the code of the error. */
const reasons: Record<string, (url: URL) => Reason> = {
  ECONNREFUSED: () => ({ text: 'takes no connections: no server listens there. Start it, or correct host and port.', isTransient: true }),
  ENOENT: () => ({ text: 'takes no connections: its socket, or a file of the URL, is missing. Start the server, or correct the URL.', isTransient: true }),
  ENOTFOUND: ({ hostname }) => ({ text: `cannot be reached: the host ${hostname} is not known. Correct it.`, isTransient: true }),
  EAI_AGAIN: ({ hostname }) => ({ text: `cannot be reached: the host ${hostname} cannot be looked up now. Check the DNS.`, isTransient: true }),
  '28P01': ({ username }) => ({ text: `refuses the password of the user ${username}. Correct it in the URL or in the file of MAYFLY_DATABASE_PASSWORD_FILE.` }),
  28000: ({ username }) => ({
    text: `does not let the user ${username} in. Make that user, and allow it and this host in pg_hba.conf, with sslmode=require if it has hostssl.`,
  }),
  '3D000': ({ username, pathname }) => ({ text: `does not exist. Make it: create database ${pathname.slice(1)} owner ${username} encoding 'UTF8' template template0` }),
  42501: ({ username }) => ({ text: `does not let the user ${username} use it. Grant the rights on this database and its tables to that user.` }),
  53300: () => ({ text: 'has no connection left. Raise max_connections, or end other programs that use it.', isTransient: true }),
  '57P03': () => ({ text: 'takes no connections yet: the server starts, or recovers.', isTransient: true }),
}

/** Certificates that are refused, by the beginning of the code of the error. */
const untrusted = /^(ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_SSL|ERR_OSSL)/

function reasonOf(url: string, error: unknown): Reason {
  const code = codeOf(error)
  const { message } = error as Error
  const known = reasons[code]
  if (known) return known(new URL(url))
  if (/unsupported startup parameter/.test(message)) return { text: 'is behind a pooler that refuses options of a connection. Connect to the server itself.' }
  if (untrusted.test(code)) {
    return { text: `has a certificate that is not trusted (${message}). Name its authority by sslrootcert, and the host as the certificate does.` }
  }
  if (/does not support SSL/.test(message)) return { text: 'does not offer TLS. Turn it on at the server, or remove sslmode from the URL.' }
  if (/client password must be/.test(message)) {
    return { text: 'asks for a password. Add it to the URL, or name a file with it in MAYFLY_DATABASE_PASSWORD_FILE.' }
  }
  if (isLost(error) || /timeout/i.test(message)) return { text: 'cannot be reached: the connection failed, or took too long. Check the network and the server.', isTransient: true }
  return { text: `cannot be used: ${message}` }
}
