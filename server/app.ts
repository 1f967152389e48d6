import type { Logger } from 'pino'
import { openActivity } from './activity.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { cannotListen } from './config/cannot-listen.ts'
import { localUrl } from './config/config.ts'
import type { Config } from './config/config.ts'
import type { App } from './context.ts'
import { openLastUses } from './domain/api-keys.ts'
import { arrivingAtStart } from './domain/receiving.ts'
import { resumeSharedWork, resumeWork } from './domain/resuming.ts'
import { openWaitingSources, refuseWithoutSources } from './domain/source-moves.ts'
import type { HttpLimits } from './http/limits.ts'
import type { ReplyCheck } from './http/operations/reply-check.ts'
import { listenHttp } from './http/server.ts'
import type { HttpListener } from './http/server.ts'
import { intakeLimits, openIntake } from './intake/intake.ts'
import type { IntakeLimits } from './intake/intake.ts'
import { newThreads } from './intake/worker-threads.ts'
import type { WorkerThreads } from './intake/worker-threads.ts'
import { openServerLog } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { openAcme } from './outbound/acme.ts'
import type { Cells } from './outbound/cells.ts'
import { openResolver } from './outbound/dns.ts'
import { openLinkRequests } from './outbound/link-status.ts'
import { openMtaSts } from './outbound/mta-sts.ts'
import { openOpenId } from './outbound/open-id.ts'
import { openWebhookSender } from './outbound/webhook.ts'
import { listenAcme } from './smtp/acme-port.ts'
import type { SmtpLimits } from './smtp/limits.ts'
import { listenSmtp, loginPort } from './smtp/server.ts'
import type { SmtpListener } from './smtp/server.ts'
import { recordKeyUses } from './store/accounts/api-keys.ts'
import { recordSessionUses } from './store/accounts/sessions.ts'
import { openWriteTurns, writeTurnAt } from './store/changes/write-turns.ts'
import { aloneAmongNodes, freeSpaceOf, inTransaction, openDatabase, withReserve } from './store/database.ts'
import { EventFeed } from './store/events/feed.ts'
import { dueJobs } from './store/jobs/jobs.ts'
import { countPending } from './store/search/search-pending.ts'
import { logOutages } from './store/sources/log-outages.ts'
import { makeSecret, readSecret } from './store/secrets.ts'
import type { CommitWait } from './store/shared-database.ts'
import { listenTail } from './tail.ts'
import { followOtherNodes, nodeLabel, openNode } from './worker/node.ts'
import { tasks } from './worker/tasks/index.ts'
import { cannotStoreNow, untilStored } from './worker/until-stored.ts'
import { startWorker } from './worker/worker.ts'
import type { Worker } from './worker/worker.ts'

/** Replacements of clock, log, limits and network for tests. */
export interface Overrides {
  clock?: Clock
  log?: Logger
  freeBytes?: () => Promise<number>
  smtpLimits?: Partial<SmtpLimits>
  httpLimits?: Partial<HttpLimits>
  intakeLimits?: Partial<IntakeLimits>
  /** Where threads come from; by default each is started for one use. */
  threads?: WorkerThreads
  /** Port of the mail servers of other hosts; 25 by default. */
  mxPort?: number
  /** Timeout of a webhook's endpoint; 15,000 by default. */
  webhookTimeoutMs?: number
  /** Compares every HTTP answer with a document. */
  replyCheck?: ReplyCheck
  /** Resolves when the files of the dashboard are built. */
  dashboardBuilt?: Promise<unknown>
}

export interface RunningApp extends App {
  http: HttpListener
  smtp: SmtpListener
  worker: Worker
  /** Makes /readyz answer 503, while all else goes on. */
  drain(): void
  close(): Promise<void>
}

/** Creates all parts of the server, connects them and starts them. */
export async function openApp(config: Config, overrides: Overrides = {}): Promise<RunningApp> {
  const log = overrides.log ?? await openServerLog(config.logLevel)
  const writeTurns = openWriteTurns()
  const db = await openDatabase(config.database, overrides.clock ?? systemClock, {
    turn: writeTurnAt(writeTurns.join(true)), sources: config.sources,
  })
  const { clock } = db
  const closers: (() => Promise<void>)[] = [() => db.close()]
  const [draining, closing] = [new AbortController(), new AbortController()]
  const close = async () => {
    draining.abort()
    closing.abort()
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    await refuseWithoutSources(db)
    const space = freeSpaceOf(db.engine.file)
    const freeBytes = overrides.freeBytes ?? space.freeBytes
    await inTransaction(withReserve(db), makeSecret)
    const resolver = openResolver(config.dnsServers)
    closers.push(async () => resolver.close())
    const freshResolver = openResolver(config.dnsServers, { lifetimeMs: 0 })
    const webhooks = openWebhookSender({
      resolver, allowPrivate: config.allowPrivateWebhooks, timeoutMs: overrides.webhookTimeoutMs,
    })
    const acme = config.smtp.acme && await openAcme(config.smtp.acme)
    const openId = config.signInProvider && openOpenId(config.signInProvider)
    const links = openLinkRequests({ resolver, allowPrivate: config.allowPrivateWebhooks })
    const mtaStsPolicies = openMtaSts({ resolver, allowPrivate: config.allowPrivateMx, closing: closing.signal })
    const announce = (topics: Set<string>) => { db.commits.emit('committed', topics) }
    const node = await aloneAmongNodes(db, async () => {
      const node = await openNode({ db, clock, log })
      closers.push(() => node.close())
      if (db.engine.shared) await inTransaction(db, (tx) => resumeSharedWork(tx, node.id))
      return node
    })
    const arriving = await arrivingAtStart({ db })
    const started: Partial<Pick<RunningApp, 'http' | 'smtp' | 'worker'>> = {}
    const waitingSources = openWaitingSources(db)
    const metrics = new Metrics({
      tasks: Object.keys(tasks),
      now: clock.now,
      dueJobs: () => dueJobs(db),
      databaseSize: () => db.engine.file?.bytes(),
      freeBytes,
      databaseFigures: db.engine.shared?.readFigures,
      pendingSearch: () => countPending(db),
      waitingSources: db.engine.sources ? waitingSources : undefined,
      hasCells: config.cells !== null,
      arriving: () => arriving.size,
      smtpSessions: () => started.smtp?.connections ?? 0,
    }, db.engine.shared ? nodeLabel() : undefined)
    const commitWaited = (wait: CommitWait) => metrics.commitWaited(wait)
    const lookupFailed = () => metrics.cells?.lookupFailed()
    const cells = config.cells && await openCells(config.defaultDomain, config.cells, { log, lookupFailed })
    if (cells) closers.push(async () => cells.close())
    db.engine.shared?.recordCommits(commitWaited)
    const storeCalled = logOutages(log, (call) => metrics.sourceStoreCalled(call))
    db.engine.sources?.recordCalls(storeCalled)
    const intakeOptions = {
      threads: overrides.threads ?? newThreads(), settings: threadSettings(config), writeTurns, log, announce,
      mailParsed: (parseMs: number) => metrics.mailParsed(parseMs), commitWaited, storeCalled,
    }
    const intake = openIntake(db, intakeOptions, { ...intakeLimits, ...overrides.intakeLimits }, config.parseThreads, {
      newClaim: () => ({ id: db.newId(), claimedBy: node.id, attempts: 1 }),
      run: (job) => started.worker?.run(job),
      release: (claim) => started.worker?.release(claim),
    })
    closers.push(() => intake.close())
    const activity = openActivity(log, clock)
    closers.push(async () => activity.close())
    const keyUses = openLastUses({ db, clock, log }, recordKeyUses)
    const sessionUses = openLastUses({ db, clock, log }, recordSessionUses)
    closers.push(keyUses.close, sessionUses.close)
    const app: App = {
      config, log, clock, db, node, intake, freeBytes, takeSpace: space.take, waitingSources, metrics, activity, keyUses, sessionUses,
      feed: new EventFeed(db, log),
      network: { resolver, freshResolver, mxPort: overrides.mxPort ?? 25, mtaStsPolicies, webhooks, links, openId, cells, acme },
      baseUrl: () => config.baseUrl ?? localUrl(started.http?.port ?? config.http.port),
      smtpPort: () => started.smtp?.port ?? config.smtp.port,
      loginPort: () => loginPort(config.smtp, started.smtp),
      secret: await readSecret(db),
      draining: draining.signal,
      closing: closing.signal,
      arriving,
    }
    const { file } = db.engine
    if (file) {
      file.claim()
      const { resuming } = await resumeOwnWork(app, () => started.worker?.wakeAll())
      closers.push(() => resuming)
      closers.push(runReserveLoop(app))
      closers.push(await listenTail(app, config.database))
    }
    const worker = started.worker = startWorker(app, tasks)
    closers.push(() => {
      freshResolver.close() // a check that waits for an answer is made again at the next start
      return worker.close()
    })
    closers.push(db.engine.shared ? await followOtherNodes(app, db.engine.shared) : wakeForOtherProcesses(worker))
    const http = started.http = await listenHttp(app, {
      replyCheck: overrides.replyCheck, limits: overrides.httpLimits, dashboardBuilt: overrides.dashboardBuilt,
    }).catch(cannotListen(['MAYFLY_HTTP_HOST', 'MAYFLY_HTTP_PORT'], config.http))
    closers.push(() => http.close())
    const acmePort = config.smtp.acme?.tlsPort ?? null
    if (acmePort !== null) closers.push(await listenAcme(app, acmePort)) // before SMTP, which orders the certificate
    const smtp = started.smtp = await listenSmtp(app, overrides.smtpLimits)
    closers.push(() => smtp.close())
    return { ...app, http, smtp, worker, drain: () => draining.abort(), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Resumes the work of the last start; on a full disk, when there is room.
 * @param onRoom called when there was none at first
 * @returns a promise of its end
 */
async function resumeOwnWork(app: App, onRoom: () => void): Promise<{ resuming: Promise<void> }> {
  const resume = () => inTransaction(withReserve(app.db), (tx) => resumeWork(tx, app.node.id))
  try {
    await resume()
    return { resuming: Promise.resolve() }
  } catch (error) {
    if (!cannotStoreNow(error)) throw error
    app.log.error({ err: error }, 'the disk is full: mail and changes are refused until there is room')
    // rejected when the server closes: then the next start resumes the work
    return { resuming: untilStored(app, resume).then(onRoom, () => {}) }
  }
}

/** Milliseconds between two checks whether the reserve file has to be written again. */
const reserveCheckMs = 2_000

/** Writes what a full disk has prevented, or used up, when there is room. @returns a function that stops this */
function runReserveLoop({ db, log }: App): () => Promise<void> {
  let refilling = Promise.resolve()
  const refill = () => {
    refilling = refilling.then(() => db.engine.reserve.refill())
      .then(() => db.engine.file?.expectLog())
      .catch((error: unknown) => log.warn({ err: error }, 'the file that reserves disk space for removals cannot be written'))
  }
  refill()
  const timer = setInterval(refill, reserveCheckMs).unref()
  return () => {
    clearInterval(timer)
    return refilling
  }
}

/** Poll interval for jobs that other processes have queued: the command line deletes accounts. */
const otherProcessesCheckMs = 1_000

/** Finds jobs in a file that no commit of this process announces. Each poll reads one row. @returns a function that stops this */
function wakeForOtherProcesses(worker: Worker): () => Promise<void> {
  const timer = setInterval(() => worker.wake('purge-account'), otherProcessesCheckMs).unref()
  return async () => clearInterval(timer)
}

/** The part is loaded where there are cells. */
async function openCells(...options: ConstructorParameters<typeof Cells>): Promise<Cells> {
  const { Cells } = await import('./outbound/cells.ts')
  return new Cells(...options)
}

const threadSettings = ({ database, dnsServers, mxHost, signingKey, sources }: Config) =>
  ({ database, dnsServers, mxHost, signingKey, sources })
