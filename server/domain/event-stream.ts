import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto'
import { atIntervals } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import { onAbort } from '../deadline.ts'
import { AppError, invalidRequest } from '../errors.ts'
import { findPosition } from '../store/events/moved-events.ts'
import { lastSeq, payloadOf, removedUpTo } from '../store/events/outbox.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import { arrivalsIn, envelopeMatcher } from '../store/mail/arrivals.ts'
import type { EnvelopeFilters } from '../store/mail/arrivals.ts'
import type { Tenant } from '../store/schema/values.ts'
import { readFormerSecrets } from '../store/secrets.ts'

/** Milliseconds between two comments, which keep the connection alive in proxies. */
const commentIntervalMs = 15_000
/**
 * Milliseconds between two checks of the caller of a stream or a wait: its key may have been revoked, its session ended, its account
 * deleted or its plan changed, also by another node.
 */
export const callerCheckIntervalMs = 3_000
/** Milliseconds after which a reader reconnects. */
const retryAfterMs = 1_000

/** Maximum events buffered for a reader; a reader that is further behind gets them from the outbox. */
const maxKeptEvents = 200
/** Maximum events per read of the outbox. */
const maxEventsAtOnce = 50
/** Maximum characters of events per write to a stream; limits the memory for a slow reader. */
const maxCharactersAtOnce = 256 * 1024

/** Its filters select mail that was received; other events are left out. */
export interface StreamOptions extends EnvelopeFilters {
  /** Number in the outbox of the last event that the reader has; undefined to begin with new events. */
  after: number | undefined
  gone: AbortSignal
  /** @throws AppError when the reader may read no more */
  reauthorize(): Promise<void>
}

/**
 * The events of an owner as server-sent events, in the order of their commits, at the speed of the reader.
 * @throws AppError `RATE_LIMITED` when too many are open already
 * @see WHATWG HTML, "Server-sent events"
 */
export async function streamEvents(app: App, caller: Caller, options: StreamOptions): Promise<AsyncIterable<string>> {
  const stream = new EventStream(app, caller, options)
  await stream.follow()
  return stream.write()
}

class EventStream {
  readonly #app: App
  readonly #caller: Caller
  readonly #options: StreamOptions
  readonly #ids: EventIds
  /** Undefined for all events. */
  readonly #isWanted: ReturnType<typeof envelopeMatcher>
  /** The number of the event up to which the reader has all. */
  #position: number
  /** Whether the reader is up to date with the outbox: then new events are buffered for it. */
  #isLive: boolean
  #kept: OutboxEvent[] = []
  /** Continues the stream, while it waits for events. */
  #wake = () => {}
  /** Ends the following of the feed, and the checks of the caller. */
  #end = () => {}

  constructor(app: App, caller: Caller, options: StreamOptions) {
    this.#app = app
    this.#caller = caller
    this.#options = options
    this.#ids = eventIdsOf(app, caller)
    this.#isWanted = envelopeMatcher(options)
    this.#position = options.after ?? 0
    this.#isLive = options.after === undefined
  }

  async follow(): Promise<void> {
    const following = await this.#app.feed.follow(this.#caller, 'events.stream', (events) => {
      if (this.#isLive) this.#kept.push(...events)
      if (this.#kept.length > maxKeptEvents) this.#goBack()
      this.#wake()
    })
    this.#position = this.#options.after ?? following.from
    const stopChecks = atIntervals(this.#app.clock, callerCheckIntervalMs, () => this.#wake())
    this.#end = () => {
      stopChecks()
      following.stop()
      this.#wake()
    }
    onAbort(this.#options.gone, this.#end)
  }

  async* write(): AsyncGenerator<string> {
    const { clock, db, feed } = this.#app
    const { gone } = this.#options
    try {
      // with the id, a reader that loses the connection before the first event loses nothing
      yield `: connected\nretry: ${retryAfterMs}\nid: ${this.#ids.idAfter(this.#position)}\n\n`
      let writtenAt = clock.now()
      if (!this.#isLive) this.#position = Math.max(this.#position, await removedUpTo(db))
      while (!gone.aborted) {
        const events = await feed.inTurn(this.#caller.accountId, () => this.#nextEvents())
        if (!await this.#isStillAuthorized()) return
        const isQuiet = clock.now() >= writtenAt + commentIntervalMs
        if (events.length > 0 || isQuiet) {
          yield events.length > 0 ? events.map((event) => toText(event, this.#ids.idOf(event.seq))).join('') : ': nothing new\n\n'
          writtenAt = clock.now()
        } else if (this.#isLive && this.#kept.length === 0 && !gone.aborted) {
          await new Promise<void>((resolve) => { this.#wake = resolve })
        }
      }
    } finally {
      this.#end()
    }
  }

  async #nextEvents(): Promise<OutboxEvent[]> {
    const after = this.#position
    let events: OutboxEvent[]
    if (this.#isLive) {
      events = this.#kept.splice(0, countWithin(this.#kept, maxCharactersAtOnce))
      this.#position = Math.max(this.#position, events.at(-1)?.seq ?? 0) // the feed may be behind the last read
    } else {
      // events that are committed from here on are buffered; those that the read returns too are skipped by their number
      this.#isLive = true
      const { events: read, upTo, last } = await this.#app.feed.readBack(this.#caller, after, maxEventsAtOnce)
      events = read.slice(0, countWithin(read, maxCharactersAtOnce))
      this.#position = events.length === read.length ? upTo : events.at(-1)!.seq
      if (this.#position < last) this.#goBack()
    }
    return this.#onlyWanted(events.filter(({ seq }) => seq > after))
  }

  async #onlyWanted(events: OutboxEvent[]): Promise<OutboxEvent[]> {
    const isWanted = this.#isWanted
    if (!isWanted) return events
    const arrivals = await arrivalsIn(this.#app.db, events)
    return events.filter((_, i) => arrivals[i] && isWanted(arrivals[i]))
  }

  #goBack() {
    this.#isLive = false
    this.#kept = []
  }

  async #isStillAuthorized() {
    try {
      await this.#options.reauthorize()
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
}

/** The number of leading events with at most `maxCharacters` together; at least one. */
function countWithin(events: OutboxEvent[], maxCharacters: number): number {
  let characters = 0
  const next = events.findIndex(({ data }, i) => (characters += data.length) > maxCharacters && i > 0)
  return next === -1 ? events.length : next
}

/**
 * Reads `Last-Event-ID`. Decimal ids of older versions all resume at the oldest stored event: resuming at the number itself would show
 * where it lies among the events of other accounts.
 * @returns the number of the event in the outbox; undefined without an id
 * @throws AppError `INVALID_REQUEST` unless it can be the id of an event of this owner
 */
export async function readLastEventId(app: App, owner: Tenant, given: string | string[] | undefined): Promise<number | undefined> {
  if (!given) return undefined
  if (/^\d{1,15}$/.test(String(given))) return 0
  const last = await lastSeq(app.db)
  for (const readSecrets of [async () => [app.secret], () => readFormerSecrets(app.db)]) {
    for (const secret of await readSecrets()) {
      const seq = eventIdsOf({ secret }, owner).seqOf(String(given))
      if (seq !== undefined && seq <= last) return await findPosition(app.db, owner, seq)
    }
  }
  throw invalidRequest('header.Last-Event-ID', 'is not the id of an event of this account')
}

/** The id after which a stream has the events that are not committed yet. */
export const currentEventId = async (app: App, owner: Tenant): Promise<string> => eventIdsOf(app, owner).idAfter(await lastSeq(app.db))

const toText = ({ id, event, data, createdAt }: OutboxEvent, streamId: string) =>
  `id: ${streamId}\nevent: ${event}\ndata: ${payloadOf({ id, event, createdAt, data })}\n\n`

/** An id is one block of AES: a salt, then the number. */
const blockBytes = 16
const saltBytes = 8

/** Converts between the number of an event in the outbox and its id in a stream. */
interface EventIds {
  /** The id of an event; its salt is 0, so the id is always the same. */
  idOf(seq: number): string
  /** An id of a position in the outbox. Its salt is random: with equal ids a reader could tell that no account had an event in between. */
  idAfter(seq: number): string
  /** @returns undefined for malformed text. An id of another owner decrypts to a random number, almost certainly above all events. */
  seqOf(id: string): number | undefined
}

/**
 * Encrypts the numbers of the outbox for an owner: in the clear they would show how many events other accounts have. ECB is safe for a
 * single block.
 */
export function eventIdsOf({ secret }: Pick<App, 'secret'>, { accountId, mode }: Tenant): EventIds {
  const key = createHmac('sha256', secret).update(`event-ids ${accountId} ${mode}`).digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const encrypt = (block: Buffer, seq: number) => {
    block.writeBigUInt64BE(BigInt(seq), saltBytes)
    return cipher.update(block).toString('base64url')
  }
  return {
    idOf: (seq) => encrypt(Buffer.alloc(blockBytes), seq),
    idAfter: (seq) => encrypt(randomFillSync(Buffer.alloc(blockBytes), 0, saltBytes), seq),
    seqOf(id) {
      if (!/^[\w-]{22}$/.test(id)) return undefined
      return Number(decipher.update(Buffer.from(id, 'base64url')).readBigUInt64BE(saltBytes))
    },
  }
}
