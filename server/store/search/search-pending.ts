import { prepared } from '../changes/prepared.ts'
import type { Queries } from '../connection.ts'
import type { Tx } from '../engine.ts'
import { ofAccount, ownedBy, unbound } from '../owner.ts'
import type { Owner, Tenant } from '../schema/values.ts'

/**
 * Attempts after which a mail is given up, because indexing it has ended the thread or the process each time. Its row stays, so
 * that neither a restart nor a change of the mail begins another attempt.
 */
export const maxAttempts = 3
/** Maximum accounts per step. */
const maxAccountsPerStep = 4

/** How many mails to index, and of which owner; without an owner, mails of all accounts. */
export interface IndexRequest {
  limit: number
  owner?: Tenant
}

/** A mail that waits to be indexed. */
export type PendingKey = Tenant & {
  emailId: string
  /** Attempts that were begun before. */
  attempts: number
}

/** The mails to index next: the newest of the owner, else some of each account after `lastAccount`. None with an earlier attempt. */
export async function nextPending(db: Queries, { limit, owner }: IndexRequest, lastAccount: string): Promise<PendingKey[]> {
  if (owner) return (await selectNewest(db, { ...unbound(owner), limit })).rows
  return fromEachAccount(db, limit, lastAccount)
}

/** Maximum mails with an earlier attempt that are looked at. */
const maxBegun = 64

/**
 * Opens the selection of mails whose attempt ended with its thread or its process.
 * @param minMs time after which an attempt under way has ended: where processes share the database, another one may index the mail
 * @returns a function that selects one, since it may end the thread again, and then only its own attempts count
 */
export function openBegunMails(minMs: number): (db: Queries) => Promise<PendingKey[]> {
  let firstSeen = new Map<string, number>()
  return async (db) => {
    const now = performance.now()
    const attempts = (await selectBegun(db, {})).rows.map((mail) => ({ mail, name: `${mail.emailId}/${mail.attempts}` }))
    firstSeen = new Map(attempts.map(({ name }) => [name, firstSeen.get(name) ?? now]))
    const ended = attempts.find(({ name }) => now - firstSeen.get(name)! >= minMs)
    return ended ? [ended.mail] : []
  }
}

async function fromEachAccount(db: Queries, limit: number, lastAccount: string): Promise<PendingKey[]> {
  const accounts = new Set<string>()
  for (let after = lastAccount, isOver = false; accounts.size < maxAccountsPerStep;) {
    const account = (await selectNextAccount(db, { after })).rows[0]?.account_id
    if (account === undefined ? isOver : accounts.has(account)) break
    if (account === undefined) isOver = true // continues with the first account
    else accounts.add(account)
    after = account ?? ''
  }
  const found: PendingKey[] = []
  const share = Math.ceil(limit / accounts.size)
  for (const account of accounts) found.push(...(await selectOldest(db, { account, limit: share })).rows)
  return found
}

/** Whether mails wait that are not given up. */
export async function hasPending(db: Queries): Promise<boolean> {
  return (await selectAny(db, {})).rows.length > 0
}

/** @param options.countsGivenUp whether mails that are given up count, too */
export async function hasPendingOf(db: Queries, owner: Tenant, { countsGivenUp = false } = {}): Promise<boolean> {
  return (await selectAnyOf(db, { ...unbound(owner), end: maxAttempts + (countsGivenUp ? 1 : 0) })).rows.length > 0
}

/** Mails that wait to be indexed, and those that are given up. Walks the table: 5 ms for 200,000 mails. */
export async function countPending(db: Queries): Promise<{ waiting: number, givenUp: number }> {
  const { n, givenUp } = await db.sql.selectFrom('email_search_pending')
    .select(({ fn, eb }) => [fn.countAll<number>().as('n'), fn.count<number>(eb.case().when('attempts', '>=', maxAttempts).then(1).end()).as('givenUp')])
    .executeTakeFirstOrThrow()
  return { waiting: n - givenUp, givenUp }
}

/** Counts an attempt for each. @returns those whose attempts no other process has counted meanwhile: it indexes the others */
export async function beginIndexing(tx: Tx, mails: PendingKey[]): Promise<PendingKey[]> {
  const updated = await Promise.all(mails.map((mail) => updateAttempts(tx, { ...mail, ...unbound(mail), count: 1 })))
  return mails.flatMap((mail, i) => updated[i]!.numAffectedRows === 1n ? [{ ...mail, attempts: mail.attempts + 1 }] : [])
}

/** Takes back the attempts of mails that were not read, or that did not cause the failure. */
export async function undoAttempts(tx: Tx, mails: PendingKey[]): Promise<void> {
  await Promise.all(mails.map((mail) => updateAttempts(tx, { ...mail, ...unbound(mail), count: -1 })))
}

const pendingKey = ['account_id as accountId', 'mode', 'email_id as emailId', 'attempts'] as const

const selectNextAccount = prepared<{ after: string }, { account_id: string }>((sql, value) => sql.selectFrom('email_search_pending')
  .select('account_id').where('account_id', '>', value('after')).where('attempts', '=', 0).orderBy('account_id').limit(1))

const selectOldest = prepared<{ account: string, limit: number }, PendingKey>((sql, value) => sql.selectFrom('email_search_pending')
  .select(pendingKey).$call(ofAccount(value('account'))).where('attempts', '=', 0)
  .orderBy('mode').orderBy('email_id').limit(value('limit')))

const selectNewest = prepared<Owner & { limit: number }, PendingKey>((sql, value) => sql.selectFrom('email_search_pending')
  .select(pendingKey)
  .$call(ownedBy(value)).where('attempts', '=', 0)
  .orderBy('email_id', 'desc').limit(value('limit')))

const selectBegun = prepared<object, PendingKey>((sql) => sql.selectFrom('email_search_pending')
  .select(pendingKey).where('attempts', '>', 0).where('attempts', '<', maxAttempts).orderBy('attempts').limit(maxBegun))

const selectAny = prepared<object, { email_id: string }>((sql) => sql.selectFrom('email_search_pending')
  .select('email_id').where('attempts', '<', maxAttempts).limit(1))

const selectAnyOf = prepared<Owner & { end: number }, { email_id: string }>((sql, value) => sql.selectFrom('email_search_pending')
  .select('email_id').$call(ownedBy(value)).where('attempts', '<', value('end')).limit(1))

const updateAttempts = prepared<Owner & PendingKey & { count: number }, never>((sql, value) => sql.updateTable('email_search_pending')
  .set((row) => ({ attempts: row('attempts', '+', value('count')) }))
  .$call(ownedBy(value)).where('email_id', '=', value('emailId')).where('attempts', '=', value('attempts')))
