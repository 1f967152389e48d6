import type { EmailChangeAll, EmailChanges, EmailUpdate } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { AppError, conflict, invalidRequest, notFound, rateLimited } from '../errors.ts'
import { accountDeleted, lockAccountIfPresent } from '../store/accounts/accounts.ts'
import { insertChangeRecords } from '../store/accounts/idempotency-keys.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { findAddress, lockAddressHolderForShare } from '../store/addresses/addresses.ts'
import type { Database, Tx } from '../store/database.ts'
import { findMessageOf, markEmailDeleted, markEmailsDeleted, markEmailsRead, setEmailFlags } from '../store/mail/emails.ts'
import { emit } from '../store/events/outbox.ts'
import { enqueue } from '../store/jobs/jobs.ts'
import { listIdsToChange } from '../store/mail/email-list.ts'
import { findReceived } from '../store/mail/received-email.ts'
import type { ReceivedEmail } from '../store/mail/received-email.ts'
import { parseSearch } from '../store/search/search-query.ts'
import { searchedLength } from '../store/search/search-terms.ts'
import { maxComparedWords, wordsOf } from '../store/search/search.ts'
import { wordTerms } from '../store/search/searched-mail.ts'
import { burstRate } from '../turns/usage-rate.ts'
import type { UsageRate } from '../turns/usage-rate.ts'

/**
 * Marks an email as read or starred.
 * @throws AppError `NOT_FOUND`, also when it was deleted
 */
export async function updateEmail(tx: Tx, caller: Caller, id: string, flags: EmailUpdate): Promise<void> {
  if (!await setEmailFlags(tx, caller, id, flags)) throw notFound('email')
}

/**
 * Deletes an email; it stays listed with `is_deleted=true`.
 * @throws AppError `NOT_FOUND`, also when it was deleted before
 * @see spec "DELETE /api/v1/emails/:id"
 */
export async function deleteEmail(tx: Tx, caller: Caller, id: string): Promise<void> {
  const deleted = await markEmailDeleted(tx, caller, id)
  if (!deleted) throw notFound('email')
  await emit(tx, caller, 'email.deleted', { emailId: id, addressId: deleted.addressId })
}

/**
 * Undoes the deletion of an email; an email that is not deleted stays as it is.
 * @throws AppError `NOT_FOUND`
 */
export async function restoreEmail(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (await restoreEmails(tx, caller, [id]) === 0 && !await findMessageOf(tx, caller, id)) throw notFound('email')
}

/** @returns the number of those that were deleted */
async function restoreEmails(tx: Tx, caller: Caller, ids: string[]): Promise<number> {
  const restored = await markEmailsDeleted(tx, caller, ids, false)
  for (const addressId of new Set(restored.map((email) => email.addressId))) {
    const holder = await lockAddressHolderForShare(tx, addressId)
    if (holder && holder.maxEmails !== null) await enqueue(tx, 'trim-mailbox', { addressId }, { lane: { address: addressId } })
  }
  return restored.length
}

/** @throws AppError `NOT_FOUND`, `CONFLICT` for an email that was sent */
export async function receivedEmail(db: Database | Tx, caller: Caller, id: string): Promise<ReceivedEmail> {
  const email = await findReceived(db, caller, id)
  if (!email) throw notFound('email')
  if (email.type !== 'received') throw conflict('The email was sent by this account. Give the id of a received one.')
  return email
}

/** Marks emails, except those that were deleted. @returns the ids of the others */
export const updateEmails = (tx: Tx, caller: Caller, ids: string[], flags: EmailUpdate): Promise<string[]> =>
  changePresent(ids, (id) => updateEmail(tx, caller, id, flags))

/** Deletes emails, except those that were deleted before. @returns the ids of the others */
export async function deleteEmails(tx: Tx, caller: Caller, ids: string[]): Promise<string[]> {
  const deleted = await markEmailsDeleted(tx, caller, ids, true)
  for (const { id, addressId } of deleted) await emit(tx, caller, 'email.deleted', { emailId: id, addressId })
  return deleted.map(({ id }) => id)
}

/** Maximum emails that a request changes. */
const maxChanged = 10_000
/** Emails that a transaction changes. */
const changedTogether = 100

/**
 * Emails a second and at once that an account restores by changes of all, beyond which one such change may go. Each can be deleted again,
 * with an event and its deliveries: without a limit, two requests would repeat those of all mail (amplification, DoS).
 */
const restoredPerSecond = 2
const restoredAtOnce = 1_000
const restores = new WeakMap<App, UsageRate>()

/** The steps of a change of all, and its last transaction. */
interface ChangeOfAll {
  /** Waits for the next turn of the account. @throws AppError when the caller may change no more */
  nextStep(): Promise<void>
  /** Makes the records that the last transaction inserts. */
  recordsOf(result: EmailChanges): ChangeRecords
}

/**
 * Marks, deletes or restores all emails of an address, of a search, or of the account, that are there at the beginning, in transactions of
 * some emails.
 * @throws AppError `NOT_FOUND` for the address, `INVALID_REQUEST` for a query that compares only some of its words, `RATE_LIMITED` when the
 * account has restored too many
 */
export async function changeAll(
  app: App, caller: Caller, input: EmailChangeAll, { nextStep, recordsOf }: ChangeOfAll,
): Promise<EmailChanges> {
  const found = await findToChange(app, caller, input, nextStep)
  const ids = found.slice(0, maxChanged)
  const hasMore = found.length > maxChanged
  if (input.action === 'restore') countRestores(app, caller.accountId, ids.length)
  for (let from = 0, changed = 0; ; from += changedTogether) {
    const isLast = from + changedTogether >= ids.length
    await nextStep()
    changed = await app.db.commit(async (tx) => {
      if (!await lockAccountIfPresent(tx, caller.accountId)) throw accountDeleted()
      const sum = changed + await actions[input.action](tx, caller, ids.slice(from, from + changedTogether))
      if (isLast) await insertChangeRecords(tx, recordsOf({ changed: sum, hasMore }))
      return sum
    }, { usesReserve: input.action === 'delete' })
    if (isLast) return { changed, hasMore }
  }
}

const actions: Record<EmailChangeAll['action'], (tx: Tx, caller: Caller, ids: string[]) => Promise<number>> = {
  markRead: markEmailsRead,
  delete: async (tx, caller, ids) => (await deleteEmails(tx, caller, ids)).length,
  restore: restoreEmails,
}

/** @throws AppError `RATE_LIMITED` */
function countRestores(app: App, accountId: string, count: number) {
  const rate = restores.get(app) ?? burstRate(restoredPerSecond, restoredAtOnce)
  restores.set(app, rate)
  const waitSeconds = Math.ceil(rate.waitMs(accountId) / 1_000)
  if (waitSeconds > 0) throw rateLimited(`This account has restored many emails. Try again in ${waitSeconds} seconds.`, waitSeconds)
  rate.record(accountId, count)
}

/** @returns up to `maxChanged` + 1 ids */
async function findToChange({ db, intake }: App, caller: Caller, { action, addressId, q }: EmailChangeAll, nextStep: () => Promise<void>) {
  if (addressId !== undefined && !await findAddress(db, caller, addressId)) throw notFound('address')
  const isDeleted = action === 'restore'
  const isUnread = action === 'markRead'
  if (q === undefined) return listIdsToChange(db, caller, { addressId, isDeleted, isUnread }, maxChanged, nextStep)
  const query = parseSearch(q, 'body.q')
  const words = wordsOf(query).length
  if (words > maxComparedWords) throw invalidRequest('body.q', `can have ${maxComparedWords} words at most, as a search compares no more`)
  if (query.texts.some((text) => text.isExcluded && wordTerms(text).length === 0)) {
    throw invalidRequest('body.q', 'excludes a text without letters and digits, which a search does not compare')
  }
  if (query.texts.some(({ field, isExcluded }) => isExcluded && field === 'any')) query.maxSize = searchedLength
  if (isUnread && query.isRead) return []
  const found = await intake.search(caller, isUnread ? { ...query, isRead: false } : query, {
    ...addressId !== undefined && { addressId }, isDeleted, limit: maxChanged + 1, offset: 0, isCounted: false, comparesAll: true,
  })
  return found.ids
}

async function changePresent(ids: string[], change: (id: string) => Promise<void>): Promise<string[]> {
  const changed: string[] = []
  for (const id of ids) {
    try {
      await change(id)
      changed.push(id)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
    }
  }
  return changed
}
