import type { App } from '../context.ts'
import { timeOfId } from '../ids.ts'
import { cursorMarginMs } from '../store/mail/arrivals.ts'

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
