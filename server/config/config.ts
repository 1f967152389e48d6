import { availableParallelism } from 'node:os'
import { modeOfApiKey } from '../api-key-format.ts'
import { ConfigError, effectiveEnvironment } from './config-file.ts'
import type { EffectiveEnvironment, Environment } from './config-file.ts'
import {
  acmeDirectory, alias, contact, dnsServer, emailAddress, flag, headerName, hostName, httpUrl, issuer, letsEncrypt, list, network, oneOf,
  optional, origin, port, signUp, whole,
} from './config-values.ts'
import type { SignUp } from './config-values.ts'
import { readCells } from './cells.ts'
import type { CellsConfig } from './cells.ts'
import { databasePath } from './database-path.ts'
import { isDatabaseUrl, withPassword } from './database-url.ts'
import { passwordFile, pemFile, privateKey } from './file-values.ts'
import { outbound } from './outbound-url.ts'
import type { Outbound } from './outbound-url.ts'
import { sourcesOf, sourcesUrl } from './sources-url.ts'
import type { Sources } from './sources-url.ts'
import { isUsablePair, unusablePair } from './tls-pair.ts'
import type { TlsFiles, TlsPair } from './tls-pair.ts'

export { ConfigError }

/** The key that signs outgoing mail (DKIM, ARC). Its public key is in DNS at `<selector>._domainkey.<domain>`. */
export interface SigningKey {
  domain: string
  selector: string
  /** PEM. */
  privateKey: string
}

/** A provider of OpenID Connect by which people sign in to the dashboard, and the client that the server is there. */
export interface SignInProvider {
  issuer: string
  clientId: string
  clientSecret: string
}

/** The authority that issues the certificate of SMTP, by ACME. */
export interface Acme {
  /** Its URL. */
  directory: string
  /** To which it may write. */
  email: string
  /** Where it asks for the proof over TLS (tls-alpn-01); null to be asked at the HTTP port (http-01). */
  tlsPort: number | null
}

/** The advice to senders that cannot reach the server over TLS with a valid certificate (RFC 8461, section 5). */
export type MtaStsMode = 'enforce' | 'testing' | 'none'

export type CompatibleApi = 'mailpit' | 'mailhog' | 'maildev'

/** All settings of an operator, read and checked once at start. */
export interface Config {
  http: { host: string, port: number, corsOrigins: string[], trustedProxies: string[], clientHeader: string }
  smtp: {
    host: string
    port: number
    /** For logins with STARTTLS (RFC 6409, section 3.1); null for none. */
    submissionPort: number | null
    /** For logins with implicit TLS (RFC 8314, section 3.3); null for none. */
    smtpsPort: number | null
    maxMessageBytes: number
    insecureAuth: boolean
    tls: TlsPair & { files: TlsFiles } | null
    acme: Acme | null
  }
  /** A file, never a symbolic link: the names of its log and lock begin with its own. Or a URL, whose password `databaseLabel` hides. */
  database: string
  /** The other databases with accounts that serve together with this one; null for none. */
  cells: CellsConfig | null
  /** Where sources of mail go from the database; null where they stay in it. */
  sources: Sources | null
  /** Maximum bytes of sources that wait for it; with more, no mail is taken. */
  maxWaitingSourceBytes: number
  /** Null when it is not set and `http.port` is 0: the URL then has the port that the system chooses. */
  baseUrl: string | null
  defaultDomain: string
  mxHost: string
  /** The mode of the policy that this server serves (RFC 8461, section 3.2); null for none. */
  mtaStsMode: MtaStsMode | null
  /** Where faults of security are reported: an https or mailto URI. */
  securityContact: string | null
  outbound: Outbound
  dnsServers: string[]
  signingKey: SigningKey | null
  /** The first API key, on a database without accounts; null for a random one. */
  initialApiKey: string | null
  signUp: SignUp
  /** Null for sign-in by links in mail alone. */
  signInProvider: SignInProvider | null
  /** Email addresses of accounts that administrate the server, in lower case. */
  admins: string[]
  /** Whether free accounts that signed themselves up may send mail to other servers. */
  freeSending: boolean
  /** Maximum mails in 24 hours that leave the server; 0 for no limit. */
  maxDailyMails: number
  /** Alias at the default domain that gets the mail to names that were not issued; null for none. */
  catchAll: string | null
  /** Networks of clients whose mail it gets. */
  catchAllNetworks: string[]
  /** Aliases of the default domain that no account can issue, besides those of `domain/addresses.ts`. */
  reservedAliases: string[]
  /** APIs of other test servers by which the mail of an address can be read with its SMTP login. */
  compatibleApis: CompatibleApi[]
  /** Maximum requests per minute and account; 0 for no limit. */
  rateLimit: number
  /** Maximum bytes in memory of mail that arrives over SMTP. */
  memoryBytes: number
  /** Threads that parse mail of up to 64 kB, and as many for longer mail. */
  parseThreads: number
  /** Maximum bytes of an account's stored mail; 0 for no limit. */
  maxAccountBytes: number
  retentionSeconds: number
  /** Time in which /readyz answers 503 before the server closes. */
  drainSeconds: number
  auditRetentionDays: number
  allowPrivateMx: boolean
  allowPrivateWebhooks: boolean
  minFreeBytes: number
  logLevel: string
  /** Callers that may read /metrics: all (true), none (false), or those on this machine (auto). */
  metrics: 'auto' | 'true' | 'false'
}

/**
 * Reads the configuration: from the environment, else from the file that MAYFLY_CONFIG names, else the defaults.
 * @param env the process environment, except in tests
 * @throws ConfigError naming the first variable that is wrong
 */
export const readConfig = (env: Environment): Config => configFrom(effectiveEnvironment(env))

/**
 * Checks the variables.
 * @param onRead gets each variable and its default, which may depend on other variables; '' for no default
 * @throws ConfigError naming the first variable that is wrong
 */
export function configFrom({ values, label }: EffectiveEnvironment, onRead?: (name: string, fallback: string) => void): Config {
  const read = <T>(name: string, fallback: string, check: (text: string) => T): T => {
    onRead?.(name, fallback)
    try {
      return check(values[name] ?? fallback)
    } catch (error) {
      throw new ConfigError(`${label(name)}: ${(error as Error).message}`)
    }
  }
  const ownPorts = new Map<number, string>()
  /** The port of one listener alone; 0 takes any free port. */
  const ownPort = (name: string) => (value: string) => {
    const number = port(value)
    const other = ownPorts.get(number)
    if (other && number !== 0) throw new Error(`${number} is the port of ${other} already; choose another one`)
    ownPorts.set(number, name)
    return number
  }
  read('MAYFLY_CONFIG', '', text)
  const httpPort = read('MAYFLY_HTTP_PORT', '3000', port)
  const defaultDomain = read('MAYFLY_DEFAULT_DOMAIN', 'mail.localhost', hostName)
  const pair = tls(read('MAYFLY_TLS_CERT', '', optional(pemFile)), read('MAYFLY_TLS_KEY', '', optional(pemFile)))
  const acme = authority(pair !== null, {
    directory: read('MAYFLY_ACME_DIRECTORY', letsEncrypt, acmeDirectory),
    email: read('MAYFLY_ACME_EMAIL', '', optional(emailAddress)),
    tlsPort: read('MAYFLY_ACME_TLS_PORT', '', optional(ownPort('MAYFLY_ACME_TLS_PORT'))),
  })
  const named = database(read('MAYFLY_DATABASE', './data/mayfly.db', databasePath), read('MAYFLY_DATABASE_PASSWORD_FILE', '', passwordFile))
  const place = read('MAYFLY_SOURCES', '', optional(sourcesUrl))
  return {
    http: {
      host: read('MAYFLY_HTTP_HOST', '127.0.0.1', text),
      port: httpPort,
      corsOrigins: read('MAYFLY_CORS_ORIGINS', '', list(origin)),
      trustedProxies: read('MAYFLY_TRUSTED_PROXIES', '', list(network)),
      clientHeader: read('MAYFLY_CLIENT_HEADER', 'X-Forwarded-For', headerName),
    },
    smtp: {
      host: read('MAYFLY_SMTP_HOST', '127.0.0.1', text),
      port: read('MAYFLY_SMTP_PORT', '2525', ownPort('MAYFLY_SMTP_PORT')),
      submissionPort: read('MAYFLY_SUBMISSION_PORT', '', optional(ownPort('MAYFLY_SUBMISSION_PORT'))),
      smtpsPort: read('MAYFLY_SMTPS_PORT', '', optional(ownPort('MAYFLY_SMTPS_PORT'))),
      maxMessageBytes: read('MAYFLY_MAX_MESSAGE_BYTES', '26214400', whole(1024, 1_073_741_824)),
      insecureAuth: read('MAYFLY_SMTP_INSECURE_AUTH', 'false', flag),
      tls: pair,
      acme,
    },
    database: named,
    cells: readCells(read, { defaultDomain, database: named }),
    sources: sourcesOf(place, named, {
      accessKeyId: read('AWS_ACCESS_KEY_ID', '', text),
      secretAccessKey: read('AWS_SECRET_ACCESS_KEY', '', text),
      secretFile: read('AWS_SECRET_ACCESS_KEY_FILE', '', place?.kind === 's3' ? passwordFile : text),
      sessionToken: read('AWS_SESSION_TOKEN', '', text),
    }),
    maxWaitingSourceBytes: read('MAYFLY_SOURCES_MAX_WAITING_BYTES', '1073741824', whole(0, Number.MAX_SAFE_INTEGER)),
    baseUrl: read('MAYFLY_BASE_URL', httpPort === 0 ? '' : localUrl(httpPort), optional(httpUrl)),
    defaultDomain,
    mxHost: read('MAYFLY_MX_HOST', defaultDomain, hostName),
    mtaStsMode: checkedMtaSts(read('MAYFLY_MTA_STS', '', optional(oneOf('enforce', 'testing', 'none'))), pair !== null || acme !== null),
    securityContact: read('MAYFLY_SECURITY_CONTACT', '', optional(contact)),
    outbound: relay(read('MAYFLY_OUTBOUND', 'capture', outbound), read('MAYFLY_OUTBOUND_PASSWORD_FILE', '', passwordFile)),
    dnsServers: read('MAYFLY_DNS_SERVERS', '', list(dnsServer)),
    signingKey: signingKey(
      read('MAYFLY_DKIM_KEY', '', privateKey), defaultDomain, read('MAYFLY_DKIM_SELECTOR', 'mayfly', hostName),
    ),
    initialApiKey: read('MAYFLY_INITIAL_API_KEY', '', optional(apiKey)),
    signUp: read('MAYFLY_SIGN_UP', 'closed', signUp),
    signInProvider: signInProvider(
      read('MAYFLY_OIDC_ISSUER', '', optional(issuer)), read('MAYFLY_OIDC_CLIENT_ID', '', text), read('MAYFLY_OIDC_CLIENT_SECRET', '', text),
    ),
    admins: read('MAYFLY_ADMINS', '', list(emailAddress)),
    freeSending: read('MAYFLY_FREE_SENDING', 'false', flag),
    maxDailyMails: read('MAYFLY_MAX_DAILY_MAILS', '20000', whole(0, 1_000_000_000)),
    catchAll: read('MAYFLY_CATCH_ALL', '', optional(alias)),
    catchAllNetworks: read('MAYFLY_CATCH_ALL_NETWORKS', '127.0.0.0/8,::1/128', list(network)),
    reservedAliases: read('MAYFLY_RESERVED_ALIASES', '', list(alias)),
    compatibleApis: read('MAYFLY_COMPATIBLE_APIS', '', list(oneOf('mailpit', 'mailhog', 'maildev'))),
    rateLimit: read('MAYFLY_RATE_LIMIT', '100', whole(0, 1_000_000_000)),
    memoryBytes: read('MAYFLY_MEMORY_BYTES', '134217728', whole(100_663_296, Number.MAX_SAFE_INTEGER)),
    parseThreads: read('MAYFLY_PARSE_THREADS', String(Math.max(1, availableParallelism() - 1)), whole(1, 64)),
    maxAccountBytes: read('MAYFLY_MAX_ACCOUNT_BYTES', '0', whole(0, Number.MAX_SAFE_INTEGER)),
    retentionSeconds: read('MAYFLY_RETENTION_SECONDS', '604800', whole(60, 3_153_600_000)),
    drainSeconds: read('MAYFLY_DRAIN_SECONDS', '0', whole(0, 3600)),
    auditRetentionDays: read('MAYFLY_AUDIT_RETENTION_DAYS', '90', whole(1, 36_500)),
    allowPrivateMx: read('MAYFLY_ALLOW_PRIVATE_MX', 'false', flag),
    allowPrivateWebhooks: read('MAYFLY_ALLOW_PRIVATE_WEBHOOKS', 'false', flag),
    minFreeBytes: read('MAYFLY_MIN_FREE_BYTES', '1073741824', whole(0, Number.MAX_SAFE_INTEGER)),
    logLevel: read('MAYFLY_LOG_LEVEL', 'info', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
    metrics: read('MAYFLY_METRICS', 'auto', oneOf('auto', 'true', 'false')),
  }
}

/** The URL of a server on this machine. */
export const localUrl = (port: number): string => `http://localhost:${port}`

const text = (value: string) => value

/** The value is secret: it is not repeated. */
function apiKey(value: string) {
  if (modeOfApiKey(value)) return value
  throw new Error('is not an API key of Mayfly, or is mistyped: its checksum is wrong. "mayfly key generate" makes one')
}

function database(fileOrUrl: string, password: string) {
  if (!password) return fileOrUrl
  if (!isDatabaseUrl(fileOrUrl)) throw new ConfigError('MAYFLY_DATABASE_PASSWORD_FILE: is for a MAYFLY_DATABASE that begins with postgres://')
  if (new URL(fileOrUrl).password) throw new ConfigError('MAYFLY_DATABASE_PASSWORD_FILE: MAYFLY_DATABASE has a password too. Remove one of them')
  return withPassword(fileOrUrl, password)
}

function relay(route: Outbound, password: string): Outbound {
  if (!password) return route
  const { username = '', password: other } = route.kind === 'smarthost' ? new URL(route.url) : {}
  if (route.kind !== 'smarthost' || !username) throw new ConfigError('MAYFLY_OUTBOUND_PASSWORD_FILE: is for a MAYFLY_OUTBOUND such as smtp://user@host:port')
  if (other) throw new ConfigError('MAYFLY_OUTBOUND_PASSWORD_FILE: MAYFLY_OUTBOUND has a password too. Remove one of them')
  return { ...route, url: withPassword(route.url, password) }
}

const signingKey = (pem: string, domain: string, selector: string) => pem ? { domain, selector, privateKey: pem } : null

function tls(cert: ReturnType<typeof pemFile> | null, key: ReturnType<typeof pemFile> | null) {
  if (!cert && !key) return null
  if (!key) throw new ConfigError('MAYFLY_TLS_KEY: is needed when MAYFLY_TLS_CERT is set')
  if (!cert) throw new ConfigError('MAYFLY_TLS_CERT: is needed when MAYFLY_TLS_KEY is set')
  const pair = { cert: cert.text, key: key.text }
  if (!isUsablePair(pair)) throw new ConfigError(`MAYFLY_TLS_CERT, MAYFLY_TLS_KEY: ${unusablePair}`)
  return { ...pair, files: { cert: cert.path, key: key.path } }
}

function authority(hasTls: boolean, { email, ...found }: Omit<Acme, 'email'> & { email: string | null }): Acme | null {
  if (email === null && found.tlsPort !== null) throw new ConfigError('MAYFLY_ACME_EMAIL: is needed when MAYFLY_ACME_TLS_PORT is set')
  if (email !== null && hasTls) throw new ConfigError('MAYFLY_ACME_EMAIL: MAYFLY_TLS_CERT has a certificate already. Remove one of them')
  return email === null ? null : { ...found, email }
}

/** Refuses `enforce` without a certificate: senders that follow the policy would deliver nothing. */
function checkedMtaSts(mode: MtaStsMode | null, hasTls: boolean) {
  if (mode === 'enforce' && !hasTls) throw new ConfigError('MAYFLY_MTA_STS: enforce is for a server with MAYFLY_TLS_CERT and MAYFLY_TLS_KEY, or MAYFLY_ACME_EMAIL')
  return mode
}

function signInProvider(issuer: string | null, clientId: string, clientSecret: string) {
  const values = { MAYFLY_OIDC_ISSUER: issuer, MAYFLY_OIDC_CLIENT_ID: clientId, MAYFLY_OIDC_CLIENT_SECRET: clientSecret }
  const names = Object.keys(values)
  const missing = names.filter((name) => !values[name as keyof typeof values])
  if (missing.length === names.length) return null
  if (missing.length > 0) throw new ConfigError(`${missing[0]}: is needed when ${names.filter((name) => !missing.includes(name)).join(' and ')} ${missing.length === 1 ? 'are' : 'is'} set`)
  return { issuer: issuer!, clientId, clientSecret }
}
