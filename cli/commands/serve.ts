import { closeSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { Command, Option } from 'commander'
import type { Logger } from 'pino'
import { openApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import type { Config } from '../../server/config/config.ts'
import type { App } from '../../server/context.ts'
import { waitAtMost } from '../../server/deadline.ts'
import { createFirstKey, findOwnerAccount } from '../../server/domain/accounts.ts'
import { openKeyLookup } from '../../server/domain/api-keys.ts'
import { createSignInLink } from '../../server/domain/sign-in-links.ts'
import { openServerLog } from '../../server/log.ts'
import { awaitDatabase } from '../../server/store/database.ts'
import { withExamples } from '../client/options.ts'
import { buildDashboard } from '../dashboard-build.ts'
import { doubtfulBaseUrl } from '../doctor/base-url.ts'
import { relayWarning } from '../doctor/outbound.ts'
import { unknownVariables } from '../doctor/variables.ts'
import { announceToPrograms, listeningLine } from '../serve/announcements.ts'
import type { Announcements } from '../serve/announcements.ts'
import { openPanel } from '../serve/panel.ts'
import { openServiceManager } from '../service-manager.ts'

export function serveCommand(): Command {
  return withExamples(new Command('serve'), [
    'mayfly serve',
    'MAYFLY_HTTP_PORT=3001 MAYFLY_SMTP_PORT=2526 mayfly serve   docs/settings.md lists all variables',
  ])
    .option('--json', 'JSON documents on stdout, one a line, also on a terminal')
    .option('--catch-all <alias>', 'an address that gets the mail of this machine to all addresses that were not issued, as MAYFLY_CATCH_ALL')
    .addOption(new Option('--temporary <folder>', 'for "mayfly run": the end of stdin stops the server, which then removes the folder').hideHelp())
    .action(serve)
}

/** The level `info` of the log. */
const infoLevel = 30

/** Time after which the end is forced: the database may hang. While its server refuses connections, the end takes some 20 s. */
const maxCloseMs = 30_000

/** Time from the start to the work that makes the first mail fast: other programs start beside the server. */
const warmUpDelayMs = 300

async function serve({ temporary, ...options }: { json?: boolean, catchAll?: string, temporary?: string }) {
  const { stop, onReload } = signals({ byStdin: temporary !== undefined }) // first: process 1 gets only signals that it handles
  const config = readConfig({ ...process.env, ...options.catchAll !== undefined && { MAYFLY_CATCH_ALL: options.catchAll } })
  const isPanel = process.stdout.isTTY && !options.json
  const isVerbose = ['debug', 'trace'].includes(config.logLevel)
  const log = await openServerLog(config.logLevel, ({ level, msg, kind }) =>
    !isPanel || level > infoLevel || kind === undefined && (isVerbose || msg !== 'request')) // the panel shows mail and webhooks itself
  if (!await isDatabaseThere(config, stop, log)) return
  const stopBuild = new AbortController()
  const dashboard = buildDashboard(stopBuild.signal)
  const app = await openApp(config, { log, dashboardBuilt: dashboard.ended })
  const announcements = isPanel ? openPanel(app) : announceToPrograms(options)
  let shown: Promise<void> | undefined
  try {
    onReload(() => app.smtp.reloadCertificate())
    dashboard.report(app.log)
    for (const { name, nearest } of unknownVariables(process.env)) {
      app.log.warn(`${name}: unknown; ${nearest ? `did you mean ${nearest}?` : 'it has no effect'}`)
    }
    const relay = relayWarning(config)
    if (relay) app.log.warn(relay)
    const doubt = doubtfulBaseUrl(config, app.http.port)
    if (doubt) app.log.warn(`${doubt.found}. ${doubt.advice ?? ''}`)
    if (await app.freeBytes() < config.minFreeBytes) {
      app.log.warn('MAYFLY_MIN_FREE_BYTES: the disk has less free space than that, so mail is answered 452 until it has more')
    }
    await makeFirstKey(app, announcements)
    const { submission, smtps } = app.smtp
    const listening = {
      http: app.http.url, smtp: app.smtp.address, ...submission && { submission: submission.address }, ...smtps && { smtps: smtps.address },
    }
    announcements.listening(listening)
    const { catchAll, catchAllNetworks, defaultDomain } = config
    if (catchAll !== null) announcements.catchAll(`${catchAll}@${defaultDomain}`, catchAllNetworks)
    shown = announcements.dashboard(dashboard.ended, () => newLinkOf(app))
    const manager = openServiceManager(process.env, app.log)
    manager.ready(listeningLine(listening))
    void setTimeout(warmUpDelayMs, undefined, { ref: false }).then(() => app.intake.warmUp())
      .catch((error: unknown) => app.log.debug({ err: error }, 'the threads for mail could not be warmed up'))
    await stop
    manager.stopping()
    app.log.info('shutting down')
    app.drain()
    await setTimeout(config.drainSeconds * 1000)
  } finally {
    announcements.close()
    stopBuild.abort()
    await waitAtMost(maxCloseMs, shown ?? Promise.resolve())
    if (!await waitAtMost(maxCloseMs, app.close().then(() => true))) {
      app.log.error('the server cannot end by itself: its database does not answer')
      process.exit(1)
    }
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
  }
}

/** Waits for the server of the database. @returns false when a signal came first */
async function isDatabaseThere({ database }: Config, stop: Promise<void>, log: Logger): Promise<boolean> {
  const stopped = new AbortController()
  void stop.then(() => stopped.abort())
  try {
    await awaitDatabase(database, { signal: stopped.signal, onWait: (reason) => log.warn(`${reason} It is tried again for a minute.`) })
    return true
  } catch (error) {
    if (stopped.signal.aborted) return false
    throw error
  }
}

/** Makes a link that signs in to the dashboard, of the account `owner@` and the default domain, where there is one. */
async function newLinkOf(app: App): Promise<string | undefined> {
  try {
    const owner = await findOwnerAccount(app)
    return owner && (await createSignInLink(app.db, app.baseUrl(), owner)).url
  } catch (error) {
    app.log.error(error, 'no link to the dashboard can be made; "mayfly account sign-in" makes one later')
    return undefined
  }
}

/** On a new database, makes and announces the account and its key, except a key that the operator has chosen. */
async function makeFirstKey(app: App, announcements: Announcements) {
  const { initialApiKey, rateLimit } = app.config
  const first = await createFirstKey(app)
  const { defaultDomain } = app.config
  if (!first && !await findOwnerAccount(app)) {
    app.log.warn(`There is no account owner@${defaultDomain}, so no link to the dashboard is printed. `
      + `"mayfly account create --email owner@${defaultDomain}" makes it, "mayfly account sign-in" prints a link for another one.`)
  }
  if (!first && initialApiKey !== null && !await openKeyLookup(app.db)(initialApiKey)) {
    app.log.warn('MAYFLY_INITIAL_API_KEY: ignored, because this database has accounts, and this key is none of theirs, or revoked')
  }
  if (!first) return
  const { account, key } = first
  announcements.account(account, initialApiKey === null ? key : undefined)
  if (rateLimit > 0) app.log.info(`An account may make ${rateLimit} requests a minute. MAYFLY_RATE_LIMIT=0 lifts this limit.`)
}

/** The time in which a repeated signal counts as the same: a process group and a launcher may each deliver it. */
const sameSignalMs = 1_000

/**
 * `stop` resolves at the first SIGTERM or SIGINT, or at the SIGHUP of a terminal that is gone. A signal more than a second after it ends
 * the process at once. Any other SIGHUP calls what `onReload` sets.
 * @param options.byStdin resolves at the end of stdin too: on each system, that of the process which has the other side of the pipe
 */
function signals({ byStdin }: { byStdin: boolean }): { stop: Promise<void>, onReload(reload: () => void): void } {
  const { promise: stop, resolve } = Promise.withResolvers<void>()
  let reload = () => {}
  let firstAt: number | undefined
  const receive = () => {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > sameSignalMs) process.exit(1)
    resolve()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, receive)
  if (byStdin) process.stdin.resume().unref().once('close', resolve).on('error', () => {}) // a start that fails does not wait for it
  const beganOnTerminal = hasTerminal()
  if (process.platform !== 'win32') process.on('SIGHUP', () => beganOnTerminal && !hasTerminal() ? receive() : reload())
  return { stop, onReload(next) { reload = next } }
}

/** Whether this process has a terminal that could close: a closed one is its terminal no longer. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
