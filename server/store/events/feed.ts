import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { rateLimited } from '../../errors.ts'
import { openFairTurns } from '../../turns/fair-queue.ts'
import type { FairTurns } from '../../turns/fair-queue.ts'
import type { Database } from '../database.ts'
import type { Owner } from '../schema/values.ts'
import { pollMs } from '../shared-database.ts'
import { eventsWithin, eventTopic, lastSeq, readOutbox, readOutboxOf } from './outbox.ts'
import type { OutboxEvent } from './outbox.ts'

/** Hands events over as they are committed. */
export interface Feed {
  /**
   * Follows an owner's events from this moment on. Nothing is lost, nothing comes twice, the order is that of the commits. Events may be
   * taken before the promise resolves.
   * @param take is given the events of a commit, or of several
   * @throws AppError `RATE_LIMITED` when the account follows as much as it may
   */
  follow(owner: Owner, kind: keyof typeof maxOpen, take: (events: OutboxEvent[]) => void): Promise<Following>
  /** Resolves when all events that are committed by now were delivered to their followers. */
  caughtUp(): Promise<void>
  /**
   * Reads some events that a follower of an owner has missed.
   * @param after the number of an event
   * @returns the owner's next events, the number up to which they are complete, and the last number of the outbox
   */
  readBack(owner: Owner, after: number, limit: number): Promise<{ events: OutboxEvent[], upTo: number, last: number }>
  /** Runs reads for followers in turns of their accounts. */
  inTurn: FairTurns
  /** Number of open followers. */
  followers(): number
}

interface Following {
  /** The number of the last event before the first that is handed over. */
  from: number
  stop(): void
}

/** Maximum requests of an account that follow events at once. */
const maxOpen = { 'emails.wait': 500, 'events.stream': 100 }

/** Rows of a read. */
const maxRowsPerRead = 200
/** Maximum numbers of the outbox that one read scans for an owner's events. */
const maxNumbersAtOnce = 1_000
/** Commits without an event of a follower after which the outbox is read anyway, so that the next read is short. */
const maxSkippedCommits = 20

interface Follower {
  from: number
  take(events: OutboxEvent[]): void
}

/**
 * Reads the outbox once for all followers when a commit announces a topic of one of them, and not at all without followers
 * (docs/decisions/0017).
 */
export class EventFeed implements Feed {
  readonly #db: Database
  readonly #log: Logger
  /** By topic. */
  readonly #followers = new Map<string, Set<Follower>>()
  /** Open requests by kind and account. */
  readonly #open = new Map<string, number>()
  /** A range of numbers without events of the owner, by topic: all streams of an account skip it after one has scanned it. */
  readonly #gaps = new Map<string, { after: number, upTo: number }>()
  /** The number of the last event that was read. */
  #seen = 0
  /** Commits without an event of a follower since the last read. */
  #skipped = 0
  #reading: Promise<void> | undefined = undefined
  /** Whether events may have been committed since the last read began. */
  #isStale = false
  /** Whether the last read has failed, which is logged once. */
  #hasFailed = false
  #polling: NodeJS.Timeout | undefined = undefined
  readonly inTurn: FairTurns = openFairTurns()

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
    db.commits.on('committed', (topics) => {
      if (this.#followers.size === 0) return
      if (topics.keys().some((topic) => this.#followers.has(topic)) || ++this.#skipped >= maxSkippedCommits) void this.caughtUp()
    })
  }

  async follow(owner: Owner, kind: keyof typeof maxOpen, take: Follower['take']): Promise<Following> {
    const release = countOpen(this.#open, `${kind} ${owner.accountId}`, kind)
    const topic = eventTopic(owner)
    const last = await lastSeq(this.#db).catch((error: unknown) => {
      release()
      throw error
    })
    // the feed may have handed over later events while the number was read
    const follower = { from: Math.max(last, this.#seen), take: owner.bound ? this.#takeWithin(owner, take) : take }
    if (this.#followers.size === 0) this.#seen = follower.from
    if (this.#db.engine.shared) this.#polling ??= setInterval(() => void this.caughtUp(), pollMs).unref()
    const group = this.#followers.get(topic) ?? new Set()
    this.#followers.set(topic, group.add(follower))
    void this.caughtUp() // events that were committed since the number was read
    return {
      from: follower.from,
      stop: () => {
        if (!group.delete(follower)) return
        if (group.size === 0) this.#endTopic(topic)
        release()
      },
    }
  }

  /** Hands over the events of an owner's bound alone, in their order. */
  #takeWithin(owner: Owner, take: Follower['take']): Follower['take'] {
    let earlier = Promise.resolve()
    return (events) => {
      earlier = earlier.then(() => this.#findWithin(owner, events)).then(take)
    }
  }

  /** Repeats a read that fails: an event that is not handed over would be lost. */
  async #findWithin(owner: Owner, events: OutboxEvent[]): Promise<OutboxEvent[]> {
    while (this.#followers.has(eventTopic(owner))) {
      try {
        return await eventsWithin(this.#db, owner, events)
      } catch (error) {
        this.#log.error({ err: error }, 'the addresses of events cannot be read')
        await sleep(pollMs)
      }
    }
    return []
  }

  #endTopic(topic: string) {
    this.#followers.delete(topic)
    this.#gaps.delete(topic)
    if (this.#followers.size > 0) return
    clearInterval(this.#polling)
    this.#polling = undefined
  }

  /** One read at a time; a commit during it starts another read. */
  caughtUp(): Promise<void> {
    this.#isStale = true
    return this.#reading ??= this.#readAll()
      .then(() => { this.#hasFailed = false }, (error: unknown) => {
        if (!this.#hasFailed) this.#log.error({ err: error }, 'the outbox cannot be read')
        this.#hasFailed = true
      })
      .then(() => {
        this.#reading = undefined
        return this.#isStale ? this.caughtUp() : undefined
      })
  }

  async #readAll() {
    this.#skipped = 0
    while (this.#isStale) {
      this.#isStale = false
      const events = await readOutbox(this.#db, this.#seen, maxRowsPerRead)
      if (events.length === 0) continue
      this.#seen = events.at(-1)!.seq
      this.#handOver(events)
      if (events.length < maxRowsPerRead) continue
      this.#isStale = true
      await setImmediate() // requests and mails are handled in between
    }
  }

  #handOver(events: OutboxEvent[]) {
    for (const [topic, group] of Map.groupBy(events, eventTopic)) {
      for (const follower of [...this.#followers.get(topic) ?? []]) {
        const fresh = group[0]!.seq > follower.from ? group : group.filter(({ seq }) => seq > follower.from)
        if (fresh.length > 0) follower.take(fresh)
      }
    }
  }

  async readBack(owner: Owner, after: number, limit: number): ReturnType<Feed['readBack']> {
    const topic = eventTopic(owner)
    const gap = this.#gaps.get(topic)
    const start = gap && gap.after <= after && after < gap.upTo ? gap.upTo : after
    const last = await lastSeq(this.#db)
    let end = Math.min(start + maxNumbersAtOnce, last)
    const events = await readOutboxOf(this.#db, owner, { after: start, upTo: end, limit })
    if (events.length === 0 && end < last) {
      const [next] = await readOutbox(this.#db, end, 1) // numbers have gaps, of up to a million where an account has come
      end = Math.min(next ? next.seq - 1 : last, last)
    }
    if (events.length === 0) this.#gaps.set(topic, { after: gap?.upTo === start ? gap.after : start, upTo: end })
    const within = await eventsWithin(this.#db, owner, events)
    return { events: within, upTo: events.length < limit ? end : events.at(-1)!.seq, last }
  }

  followers(): number {
    return this.#followers.values().reduce((sum, { size }) => sum + size, 0)
  }
}

function countOpen(open: Map<string, number>, key: string, kind: keyof typeof maxOpen) {
  const count = open.get(key) ?? 0
  if (count >= maxOpen[kind]) {
    throw rateLimited(`This account has ${maxOpen[kind]} of these requests open, which is all that it may. End one first.`)
  }
  open.set(key, count + 1)
  return () => {
    const left = open.get(key)! - 1
    if (left === 0) open.delete(key)
    else open.set(key, left)
  }
}
