import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { atIntervals, dayMs, hourMs, minuteMs } from '../clock.ts'
import { isUsablePair, renewalTime } from '../config/tls-pair.ts'
import type { TlsPair } from '../config/tls-pair.ts'
import type { App } from '../context.ts'
import type { Database } from '../store/database.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { readKept, replaceKept } from '../store/secrets.ts'
import { endOf, ensureSmtpCertificate, splitPem } from './smtp-certificate.ts'
import type { SmtpCertificate } from './smtp-certificate.ts'

/** Within this time a node finds the certificate that another one has ordered. */
const checkMs = 5 * minuteMs
/** After a failure, doubled with each: authorities count failures, and refuse more than some in an hour. Longer than an order takes. */
const firstDelayMs = 15 * minuteMs
/** After a success: a certificate that is due at once is not ordered again and again. */
const successDelayMs = hourMs

/** The last order of all nodes. It is stored before it begins, so that only one node orders, and a crash delays the next one, too. */
interface LastOrder {
  id: string
  failures: number
  nextAt: number
}

/** The proof that each node shows the authority: `AcmeOrder` says which. Empty before the first order. */
export const readProof = async (db: Database): Promise<string> => await readKept(db, 'acme-proof') ?? ''

async function keepProof(db: Database, proof: string) {
  await inTransaction(withReserve(db), async (tx) => replaceKept(tx, 'acme-proof', await readKept(tx, 'acme-proof'), proof))
}

/** The key of the server's account at the authority; made once for a database. */
async function ensureAccountKey(db: Database): Promise<string> {
  const stored = await readKept(db, 'acme-account')
  if (stored !== undefined) return stored
  const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return inTransaction(withReserve(db), (tx) => replaceKept(tx, 'acme-account', undefined, made))
}

/**
 * The certificate by ACME, which the nodes of a database share; until the first one is there, a self-signed one.
 * @param onRenewed called with the next one, while the server runs
 */
export async function openAcmeCertificate(app: App, onRenewed: (pair: TlsPair) => void): Promise<SmtpCertificate> {
  const { clock, db, log, closing, config: { mxHost } } = app
  const acme = app.network.acme!
  const first = await readKept(db, 'acme-certificate')
  let pair = first === undefined ? await ensureSmtpCertificate(app) : splitPem(first)

  function serve(pem: string) {
    const next = splitPem(pem)
    if (next.cert === pair.cert) return
    onRenewed(next)
    pair = next
    log.info(`ACME: a new certificate for ${mxHost} is served, which ends on ${endOf(pair)}`)
  }

  async function look() {
    const stored = await readKept(db, 'acme-certificate')
    if (stored !== undefined) serve(stored)
    if (stored === undefined || isDue(stored, mxHost, clock.now())) await order(stored)
  }

  async function order(old: string | undefined) {
    const last = await readKept(db, 'acme-order')
    const { failures, nextAt } = last === undefined ? { failures: 0, nextAt: 0 } : JSON.parse(last) as LastOrder
    if (nextAt > clock.now()) return
    const next = clock.now() + Math.min(firstDelayMs * 2 ** failures, dayMs)
    const begun = JSON.stringify({ id: db.newId(), failures: failures + 1, nextAt: next } satisfies LastOrder)
    if (await inTransaction(withReserve(db), (tx) => replaceKept(tx, 'acme-order', last, begun)) !== begun) return
    try {
      const accountKey = await ensureAccountKey(db)
      const made = await acme.order({ host: mxHost, accountKey, show: (proof) => keepProof(db, proof), signal: closing })
      if (!isUsablePair(splitPem(made))) throw new Error('it sent no certificate for the key of the request')
      const done = JSON.stringify({ id: db.newId(), failures: 0, nextAt: clock.now() + successDelayMs } satisfies LastOrder)
      serve(await inTransaction(withReserve(db), async (tx) => {
        await replaceKept(tx, 'acme-order', begun, done)
        return replaceKept(tx, 'acme-certificate', old, made)
      }))
    } catch (error) {
      if (closing.aborted) return
      log.error(`ACME: ${acme.host} has issued no certificate for ${mxHost}: ${(error as Error).message}. `
        + `The one before stays, and the next attempt is at ${new Date(next).toISOString()}`)
    }
  }

  let looking: Promise<void> | undefined
  const reload = () => looking ??= look()
    .catch((error: unknown) => { if (!closing.aborted) log.error({ err: error }, 'ACME: the certificate cannot be read') })
    .finally(() => { looking = undefined })
  void reload()
  return { pair, reload, close: atIntervals(clock, checkMs, () => { void reload() }) }
}

/** Whether it is time to renew a certificate, or it is for another host. */
function isDue(pem: string, host: string, now: number): boolean {
  const found = new X509Certificate(pem)
  return now > renewalTime(found) || found.checkHost(host) === undefined
}
