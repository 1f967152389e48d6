import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { atIntervals, dayMs, dayOf, secondMs } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { readTlsPair } from '../config/tls-pair.ts'
import type { TlsPair } from '../config/tls-pair.ts'
import type { App } from '../context.ts'
import { makeSelfSigned } from '../self-signed.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { readKept, replaceKept } from '../store/secrets.ts'
import { loginHost } from './smtp-logins.ts'

export interface SmtpCertificate {
  /** The one at the start. */
  pair: TlsPair
  /** Looks for the next one now. */
  reload(): Promise<void>
  /** Ends its renewal. */
  close(): void
}

/** Well below the 5 seconds within which a new one is served. */
const filesCheckMs = 2 * secondMs

/**
 * The certificate of the operator. Its files are read again and again, which finds a file that is written anew, replaced by another or
 * reached by another symbolic link. A pair that cannot be used leaves the one before in place.
 * @param onRenewed called with the next one, while the server runs
 */
export function followSmtpCertificate({ clock, log }: App, tls: NonNullable<Config['smtp']['tls']>, onRenewed: (pair: TlsPair) => void): SmtpCertificate {
  let pair: TlsPair = tls
  let [seen, told] = ['', '']
  const renew = async () => {
    const next = await readTlsPair(tls.files)
    if (next.cert === pair.cert && next.key === pair.key) return
    onRenewed(next)
    pair = next
    log.info(`MAYFLY_TLS_CERT: a new certificate is served, which ends on ${endOf(pair)}`)
  }
  const look = async (isAsked: boolean) => {
    const problem = await renew().then(() => '', (error: Error) => error.message)
    // found once, it may be the moment between the replacement of one file and of the other
    if (problem && (isAsked || problem === seen && problem !== told)) {
      log.error(`MAYFLY_TLS_CERT, MAYFLY_TLS_KEY: ${problem}; the server keeps the certificate that it has, which ends on ${endOf(pair)}`)
      told = problem
    }
    if (!problem) told = ''
    seen = problem
  }
  let looking = Promise.resolve()
  const reload = (isAsked = true) => looking = looking.then(() => look(isAsked))
  return { pair, reload, close: atIntervals(clock, filesCheckMs, () => { void reload(false) }) }
}

export const endOf = ({ cert }: TlsPair) => dayOf(new X509Certificate(cert).validToDate.getTime())

/** Long, because clients have a copy of the certificate and would refuse the next one. */
const validityDays = 3650
const renewalDays = 30
const renewalCheckMs = dayMs

/**
 * The self-signed certificate of the ports for logins; made once for a database, so that all nodes have the same, and a back-up has it too.
 * On SQLite it is also a file beside the database, without its key, for clients.
 * @param onRenewed called with the next one, while the server runs
 */
export async function openSmtpCertificate(app: App, onRenewed: (pair: TlsPair) => void): Promise<SmtpCertificate> {
  let pair = await ensureSmtpCertificate(app)
  const renew = async () => {
    const next = await ensureSmtpCertificate(app)
    if (next.cert === pair.cert) return
    pair = next
    onRenewed(pair)
  }
  const reload = () =>
    renew().catch((error: unknown) => app.log.error({ err: error }, 'the certificate of the SMTP ports for logins could not be renewed'))
  return { pair, reload, close: atIntervals(app.clock, renewalCheckMs, () => { void reload() }) }
}

export async function ensureSmtpCertificate(app: App): Promise<TlsPair> {
  const names = [...new Set([app.config.mxHost, loginHost(app).replace(/^\[|\]$/g, ''), 'localhost', '127.0.0.1', '::1'])]
  const stored = await readKept(app.db, 'smtp-certificate')
  const pair = splitPem(stored !== undefined && isUsable(stored, names, app.clock.now()) ? stored : await replace(app, stored, names))
  if (app.db.engine.file) await writeCertificate(app, `${app.config.database}-smtp.pem`, pair.cert)
  return pair
}

async function replace({ db, clock }: App, stored: string | undefined, names: string[]): Promise<string> {
  const made = await makeSelfSigned(names, { now: clock.now(), validityDays })
  return inTransaction(withReserve(db), (tx) => replaceKept(tx, 'smtp-certificate', stored, made))
}

function isUsable(pem: string, names: string[], now: number): boolean {
  const found = new X509Certificate(pem)
  return found.validToDate.getTime() - now > renewalDays * dayMs && found.validFromDate.getTime() <= now
    && names.every((name) => isIP(name) ? found.checkIP(name) : found.checkHost(name))
}

export const splitPem = (pem: string): TlsPair => {
  const keyStart = pem.indexOf('-----BEGIN PRIVATE KEY')
  return { cert: pem.slice(0, keyStart), key: pem.slice(keyStart) }
}

/** Without the file the server works: `openssl s_client -showcerts` shows the certificate as well. */
async function writeCertificate({ log }: App, path: string, cert: string) {
  try {
    if (await readFile(path, 'utf8').catch(() => '') !== cert) await writeFile(path, cert)
  } catch (error) {
    log.warn({ err: error }, 'the file with the certificate of the SMTP ports for logins cannot be written')
  }
}
