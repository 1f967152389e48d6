import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ofAccount, ownedBy, systemOwner, unbound } from '../owner.ts'
import type { OutboxRow } from '../schema/events.ts'
import type { Owner, Tenant } from '../schema/values.ts'

/**
 * Events of accounts that have come from another database. They get new numbers here, above all numbers that their accounts have given
 * there, and keep their former numbers beside them: a reader that comes with a former number goes on after it.
 */

/**
 * The number in this database after which an owner's events come that follow a number, given here or in the database before.
 * @see raiseNumbers
 */
export async function findPosition(db: Database, owner: Tenant, seq: number): Promise<number> {
  return Math.max(seq, (await selectMoved(db, { ...unbound(owner), seq })).rows[0]?.seq ?? 0)
}

/** Has all later events get numbers above one, by an event of no account that has it. */
export async function raiseNumbers(tx: Tx, above: number): Promise<void> {
  await tx.engine.locks.lockEnd(tx)
  const { rows: [row] } = await tx.execute(setNumber, [above]) as { rows: { seq: number }[] }
  await tx.sql.insertInto('outbox').values({
    seq: row!.seq, id: tx.newId(), account_id: systemOwner.accountId, mode: systemOwner.mode, event: 'address.created', data: '{}', created_at: tx.now,
  }).execute()
}

/** The first and the last number that the events of an account have here, and the last former one; undefined without any. */
export async function movedRange(db: Database | Tx, accountId: string): Promise<{ first: number, lastFormer: number } | undefined> {
  const row = await db.sql.selectFrom('outbox').select(({ fn }) => [fn.min('seq').as('first'), fn.max('former_seq').as('lastFormer')])
    .$call(ofAccount(accountId)).where('former_seq', 'is not', null).executeTakeFirst()
  return row?.lastFormer ? { first: row.first, lastFormer: row.lastFormer } : undefined
}

/** Takes a number: a transaction that was rolled back may have taken higher ones than the last event has. */
const setNumber = `select setval(number, greatest(nextval(number), $1)) as seq
  from (select pg_get_serial_sequence('outbox', 'seq')::regclass as number) as sequence`

type MovedEvent = Omit<OutboxRow, 'seq' | 'former_seq'> & { seq: number }

/** Some events of an account with a number above one, in their order. Scans the outbox, whose index is by number alone. */
export async function readEventsOf(db: Database, accountId: string, after: number, limit: number): Promise<MovedEvent[]> {
  return db.sql.selectFrom('outbox').select(['seq', 'id', 'account_id', 'mode', 'event', 'data', 'created_at'])
    .$call(ofAccount(accountId)).where('seq', '>', after).orderBy('seq').limit(limit).execute()
}

/** Adds events of another database, in their order. */
export async function insertMovedEvents(tx: Tx, events: MovedEvent[]): Promise<void> {
  await tx.engine.locks.lockEnd(tx)
  await tx.sql.insertInto('outbox').values(events.map(({ seq, ...event }) => ({ ...event, former_seq: seq }))).execute()
}

/** Removes the events that have come with an account. */
export async function removeMovedEvents(tx: Tx, accountId: string): Promise<void> {
  await tx.sql.deleteFrom('outbox').$call(ofAccount(accountId)).where('former_seq', 'is not', null).execute()
}

const selectMoved = prepared<Owner & { seq: number }, { seq: number | null }>((sql, value) => sql.selectFrom('outbox')
  .select(({ fn }) => fn.max('seq').as('seq')).$call(ownedBy(value)).where('former_seq', '<=', value('seq')))
