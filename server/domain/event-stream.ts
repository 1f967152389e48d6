import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto'
import type { App, Caller } from '../context.ts'
import { onAbort } from '../deadline.ts'
import { AppError, invalidRequest } from '../errors.ts'
import { lastSeq, payloadOf, purgedUpTo } from '../store/events/outbox.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import type { Owner } from '../store/schema/values.ts'

/** Milliseconds between two comments, which keep the connection alive in proxies, and between two checks of the caller. */
const commentIntervalMs = 15_000
const callerCheckIntervalMs = 3_000

/** Milliseconds after which a reader reconnects. */
const retryAfterMs = 1_000

/** Maximum events buffered for a reader; a reader that is further behind gets them from the outbox. */
const maxKeptEvents = 200
/** Maximum events per read of the outbox. */
const maxEventsAtOnce = 50
/** Maximum characters of events per write to a stream; limits the memory for a slow reader. */
const maxCharactersAtOnce = 256 * 1024

export interface StreamOptions {
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
export async function streamEvents(app: App, caller: Caller, { after, gone, reauthorize }: StreamOptions): Promise<AsyncIterable<string>> {
  const { idOf, idAfter } = eventIdsOf(app, caller)
  let kept: OutboxEvent[] = []
  let isLive = after === undefined
  let wake = () => {}
  const following = await app.feed.follow(caller, 'events.stream', (events) => {
    if (isLive) kept.push(...events)
    if (kept.length > maxKeptEvents) goBack()
    wake()
  })
  let position = after ?? following.from

  const stopChecks = atEachCheck(app, () => wake())
  const end = () => {
    stopChecks()
    following.stop()
    wake()
  }
  onAbort(gone, end)
  return write()

  async function* write() {
    try {
      // with the id, a reader that loses the connection before the first event loses nothing
      yield `: connected\nretry: ${retryAfterMs}\nid: ${idAfter(position)}\n\n`
      let writtenAt = app.clock.now()
      if (!isLive) position = Math.max(position, await purgedUpTo(app.db))
      while (!gone.aborted) {
        const events = await app.feed.inTurn(caller.accountId, nextEvents)
        if (!await isStillAuthorized()) return
        const isQuiet = app.clock.now() >= writtenAt + commentIntervalMs
        if (events.length > 0 || isQuiet) {
          yield events.length > 0 ? events.map((event) => toText(event, idOf(event.seq))).join('') : ': nothing new\n\n'
          writtenAt = app.clock.now()
        } else if (isLive && kept.length === 0 && !gone.aborted) {
          await new Promise<void>((resolve) => { wake = resolve })
        }
      }
    } finally {
      end()
    }
  }

  async function nextEvents(): Promise<OutboxEvent[]> {
    const after = position
    let events: OutboxEvent[]
    if (isLive) {
      events = kept.splice(0, countWithin(kept, maxCharactersAtOnce))
      position = Math.max(position, events.at(-1)?.seq ?? 0) // the feed may be behind the last read
    } else {
      // events that are committed from here on are buffered; those that the read returns too are skipped by their number
      isLive = true
      const { events: read, upTo, last } = await app.feed.readBack(caller, after, maxEventsAtOnce)
      events = read.slice(0, countWithin(read, maxCharactersAtOnce))
      position = events.length === read.length ? upTo : events.at(-1)!.seq
      if (position < last) goBack()
    }
    return events.filter(({ seq }) => seq > after)
  }

  function goBack() {
    isLive = false
    kept = []
  }

  async function isStillAuthorized() {
    try {
      await reauthorize()
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
}

/**
 * Calls back each time that the caller of a stream or a wait is to be checked again: its key may have been revoked, its session ended, its
 * account deleted or its plan changed, also by another node. @returns a function that ends this
 */
export function atEachCheck({ clock }: Pick<App, 'clock'>, check: () => void): () => void {
  let cancel = () => {}
  const plan = () => {
    cancel = clock.at(clock.now() + callerCheckIntervalMs, () => {
      plan()
      check()
    })
  }
  plan()
  return () => cancel()
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
export async function readLastEventId(app: App, owner: Owner, given: string | string[] | undefined): Promise<number | undefined> {
  if (!given) return undefined
  if (/^\d{1,15}$/.test(String(given))) return 0
  const seq = eventIdsOf(app, owner).seqOf(String(given))
  if (seq !== undefined && seq <= await lastSeq(app.db)) return seq
  throw invalidRequest('header.Last-Event-ID', 'is not the id of an event of this account')
}

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
export function eventIdsOf({ secret }: Pick<App, 'secret'>, { accountId, mode }: Owner): EventIds {
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
