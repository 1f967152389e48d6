import type { App } from '../context.ts'
import type { AcceptedMessage, Arriving } from '../envelope.ts'
import { lastIdBefore, timeOfId } from '../ids.ts'
import { waitingPayloads } from '../store/jobs/jobs.ts'
import { cursorMarginMs } from '../store/mail/arrivals.ts'

/**
 * Emails that were accepted before this start and are not published yet. Where several nodes use the database, there are none: those that
 * wait for a job are found in the database, since any node may publish them.
 */
export async function arrivingAtStart(app: Pick<App, 'db'>): Promise<Arriving> {
  const arriving: Arriving = new Map()
  if (app.db.engine.shared) return arriving
  for (const message of await waitingPayloads(app.db, 'parse-message')) recordArriving(arriving, message)
  return arriving
}

export function recordArriving(arriving: Arriving, { envelope, size }: AcceptedMessage): void {
  for (const { emailId, addressId, accountId } of envelope.recipients) arriving.set(emailId, { addressId, accountId, bytes: size })
  arriving.added?.()
}

export function recordShown(arriving: Arriving, { envelope }: AcceptedMessage): void {
  for (const { emailId } of envelope.recipients) arriving.delete(emailId)
}

/** Records that a mail is stored, and waits for a job. */
export function recordQueued({ arriving, db }: Pick<App, 'arriving' | 'db'>, message: AcceptedMessage): void {
  if (db.engine.shared) recordShown(arriving, message) // its job tells all nodes of it
}

/**
 * A cursor for the present: an id that sorts before every email that is published from now on, including emails that arrived already
 * and are still being parsed. With several nodes it is also older than mail of which the others may not have told yet.
 * @param addressId ignores emails of other addresses
 */
export async function cursorNow(app: App, addressId?: string): Promise<string> {
  const { shared } = app.db.engine
  const now = app.clock.now()
  let cursor = app.db.newId()
  for (const [emailId, email] of app.arriving) {
    if (emailId <= cursor && (addressId === undefined || email.addressId === addressId)) cursor = idBefore(emailId)
  }
  if (!shared) return cursor
  await shared.arrivals.settleEnds()
  const { since, emailId } = await shared.arrivals.oldest(app.node.id, addressId ?? '')
  const others = [
    emailId === null ? [] : idBefore(emailId),
    app.clock.isShared ? lastIdBefore(now - cursorMarginMs) : [],
    since === null ? [] : lastIdBefore(since),
  ].flat()
  return others.reduce((least, id) => id < least ? id : least, cursor)
}

function idBefore(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Interval of the checks while mail is arriving. */
const checkMs = 25
/** Age at which the mail is recorded: the rest of the margin is for the transaction. */
const recordAfterMs = cursorMarginMs / 2
/** While mail keeps arriving, the time that is recorded is at most this much too early. */
const maxTooEarlyMs = 1_000

/**
 * Records for other nodes since when mail is arriving at this one, once some of it takes longer than usual. Costs nothing while all mail is
 * published at once.
 * @returns a function that stops this
 */
export async function openArrivalRecorder({ db, clock, log, node, arriving }: Pick<App, 'db' | 'clock' | 'log' | 'node' | 'arriving'>): Promise<() => Promise<void>> {
  const { shared } = db.engine
  if (!shared || !clock.isShared) return async () => {}
  const { record } = shared.arrivals
  await record(node.id, null, null) // opens its connection
  let recorded: { nodeId: string, since: number, at: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let isClosed = false
  let hasFailed = false

  async function check() {
    const [oldest] = arriving.keys()
    if (oldest === undefined) return clear()
    const since = timeOfId(oldest)
    const { id } = node
    if (recorded?.nodeId !== id) {
      if (clock.now() - since < recordAfterMs) return
      await record(id, since, null)
      const at = clock.now() // the record is committed now
      await record(id, since, at)
      recorded = { nodeId: id, since, at }
    } else if (since - recorded.since > maxTooEarlyMs) {
      await record(id, since, recorded.at)
      recorded = { ...recorded, since }
    }
  }

  async function clear() {
    if (recorded) await record(recorded.nodeId, null, null)
    recorded = undefined
    if (arriving.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  arriving.added = () => {
    if (isClosed) return
    timer ??= setInterval(() => {
      checking ??= check().then(() => { hasFailed = false }, failed).finally(() => { checking = undefined })
    }, checkMs)
  }
  function failed(error: unknown) {
    if (!hasFailed) log.error({ err: error }, 'a node cannot record since when mail is arriving: late mail is refused')
    hasFailed = true
  }
  return async () => {
    isClosed = true
    clearInterval(timer)
    await checking
  }
}
