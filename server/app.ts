import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import type { App } from './context.ts'
import { listenHttp } from './http/server.ts'
import type { HttpListener } from './http/server.ts'
import { arrivingAtStart } from './domain/arriving.ts'
import { intakeLimits, openIntake } from './intake/intake.ts'
import type { IntakeLimits } from './intake/intake.ts'
import { openResolver } from './outbound/dns.ts'
import { listenSmtp } from './smtp/server.ts'
import type { SmtpListener } from './smtp/server.ts'
import type { SmtpLimits } from './smtp/limits.ts'
import { inTransaction, openDatabase } from './store/database.ts'
import { retryDeliveries } from './store/deliveries.ts'
import { freeSpaceOf } from './store/free-space.ts'
import { releaseLeases } from './store/jobs.ts'
import { makeSecret, readSecret } from './store/secrets.ts'
import { tasks } from './worker/tasks/index.ts'
import { startWorker } from './worker/worker.ts'
import type { Worker } from './worker/worker.ts'

/** What the process takes from the world, and a test may give itself. */
export interface Overrides {
  clock?: Clock
  log?: Logger
  freeBytes?: () => Promise<number>
  smtpLimits?: Partial<SmtpLimits>
  intakeLimits?: Partial<IntakeLimits>
  /** Where mail servers listen: 25. */
  mxPort?: number
  /** Compares every answer with the document. */
  checkReplies?: boolean
}

export interface RunningApp extends App {
  http: HttpListener
  smtp: SmtpListener
  worker: Worker
  close(): Promise<void>
}

/** Wires the parts, and starts them. The only place that knows them all. */
export async function openApp(config: Config, overrides: Overrides = {}): Promise<RunningApp> {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }))
  const db = await openDatabase(config.database, clock)
  const closers: (() => Promise<void>)[] = [() => db.close()]
  const closing = new AbortController()
  const close = async () => {
    closing.abort()
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const freeBytes = overrides.freeBytes ?? freeSpaceOf(db.engine)
    await inTransaction(db, makeSecret)
    const resolver = openResolver(config.dnsServers)
    closers.push(async () => resolver.close())
    const freshResolver = openResolver(config.dnsServers, { keep: 0 })
    const announce = (topics: Set<string>) => { db.commits.emit('committed', topics) }
    const intake = openIntake({ settings: threadSettings(config), log, announce }, { ...intakeLimits, ...overrides.intakeLimits })
    closers.push(() => intake.close())
    const app: App = {
      config, log, clock, db, intake, freeBytes,
      network: { resolver, freshResolver, mxPort: overrides.mxPort ?? 25 },
      secret: await readSecret(db),
      closing: closing.signal,
      arriving: await arrivingAtStart({ db }),
    }
    if (db.engine.isExclusive) {
      db.engine.claim()
      await inTransaction(db, async (tx) => {
        await releaseLeases(tx)
        await retryDeliveries(tx)
      })
    }
    const worker = startWorker(app, tasks)
    closers.push(() => {
      freshResolver.close() // a check that waits for an answer is made again at the next start
      return worker.close()
    })
    const http = await listenHttp(app, { checkReplies: overrides.checkReplies ?? false }).catch(cannotListen('HTTP', config.http))
    closers.push(() => http.close())
    const smtp = await listenSmtp(app, overrides.smtpLimits).catch(cannotListen('SMTP', config.smtp))
    closers.push(() => smtp.close())
    return { ...app, http, smtp, worker, close }
  } catch (error) {
    await close()
    throw error
  }
}

const threadSettings = ({ database, dnsServers, mxHost, signingKey }: Config) => ({ database, dnsServers, mxHost, signingKey })

const listenErrors: Record<string, string | undefined> = {
  EADDRINUSE: 'the address is in use already',
  EADDRNOTAVAIL: 'the host has no such address',
  ENOTFOUND: 'the name is not known',
  EACCES: 'that is not allowed',
}

/** Says in the operator's words why a listener does not listen. */
const cannotListen = (protocol: 'HTTP' | 'SMTP', { host, port }: { host: string, port: number }) => (error: NodeJS.ErrnoException) => {
  const reason = listenErrors[error.code ?? '']
  if (!reason) throw error
  const names = `MAYFLY_${protocol}_HOST, MAYFLY_${protocol}_PORT`
  throw Object.assign(new ConfigError(`${names}: cannot listen at ${host}:${port}, ${reason}`), { code: error.code, cause: error })
}
