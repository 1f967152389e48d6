import { idBoundary, timeOfId } from '../ids.ts'
import type { Database } from '../store/database.ts'
import { readOutboxOf } from '../store/events/outbox.ts'
import type { OutboxEvent } from '../store/events/outbox.ts'
import type { Owner } from '../store/schema/values.ts'

/**
 * Where a list or a wait begins: with mail later than `after`. Where several nodes use the database, `after` is some time ago, since
 * another node may still publish mail that arrived then. So that the mail since then does not come again, the position has the numbers of
 * events.
 */
export interface WaitPosition {
  /** An id, or a text that sorts as an id does. */
  after: string
  /** Mail that was published with an event up to this number, and is not later than `found`, was compared. */
  comparedUpTo?: number
  /** The number of the event of the mail that was found; absent when none was. */
  found?: number
}

/** Bits of a UUID after its variant. Before it are 12 bits, the version and the time. */
const lowBits = 62n
/** Bits for the difference between the two numbers; all are set when no mail was found. */
const differenceBits = 30n
const notFound = maxOf(differenceBits)

/**
 * A position as a UUID of version 8, which sorts before the ids of the mail after it: the millisecond before that of `after`, the number of
 * the last event that was compared, the difference between that and the number of the event that was found.
 */
export function toCursor({ after, comparedUpTo = 0, found }: WaitPosition): string {
  const difference = found === undefined ? notFound : BigInt(comparedUpTo - found)
  const rest = BigInt(comparedUpTo) << differenceBits | difference
  const bits = BigInt(timeOfId(after) - 1) << 80n | 8n << 76n | rest >> lowBits << 64n | 2n << lowBits | rest & maxOf(lowBits)
  return bits.toString(16).padStart(32, '0').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** @param cursor an id, or the text of a position */
export function toPosition(cursor: string): WaitPosition {
  if (cursor[14] !== '8') return { after: cursor }
  const bits = BigInt(`0x${cursor.replaceAll('-', '')}`)
  const rest = (bits >> 64n & maxOf(12n)) << lowBits | bits & maxOf(lowBits)
  const [comparedUpTo, difference] = [Number(rest >> differenceBits), rest & notFound]
  const found = difference === notFound ? undefined : comparedUpTo - Number(difference)
  return { after: idBoundary(timeOfId(cursor) + 1), comparedUpTo, found }
}

/** Maximum numbers of the outbox that are searched for the events of the last moments before a position. */
const maxNumbers = 4_000

/** Mail of an owner that was published shortly before an event: the number of its event, by its id. */
export async function readPublished(db: Database, owner: Owner, upTo: number): Promise<Map<string, number>> {
  const events = await readOutboxOf(db, owner, { after: upTo - maxNumbers, upTo, limit: maxNumbers })
  return new Map(events.flatMap((event) => {
    const received = receivedIn(event)
    return received ? [[received.emailId, event.seq]] : []
  }))
}

/**
 * Makes the test whether a mail after a position was compared when the position was made. It may not be known for some when there were many
 * events: that mail comes twice.
 */
export async function comparedAt(
  db: Database, owner: Owner, { comparedUpTo = 0, found }: WaitPosition,
): Promise<(emailId: string) => boolean> {
  if (comparedUpTo === 0) return () => false
  const published = await readPublished(db, owner, comparedUpTo)
  const last = found === undefined ? '~' : published.entries().find(([, seq]) => seq === found)?.[0] ?? ''
  return (emailId) => published.has(emailId) && emailId <= last
}

function maxOf(bits: bigint): bigint {
  return (1n << bits) - 1n
}

/** A cache: many waits read the same event. */
const received = new WeakMap<OutboxEvent, { emailId: string, addressId: string } | null>()

/** The mail whose arrival an event tells; null for other events. */
export function receivedIn(event: OutboxEvent): { emailId: string, addressId: string } | null {
  let known = received.get(event)
  if (known === undefined) {
    known = event.event === 'email.received' ? JSON.parse(event.data) as { emailId: string, addressId: string } : null
    received.set(event, known)
  }
  return known
}
