import type { App } from '../context.ts'
import { comparedAddress } from '../mailbox.ts'
import { readMailboxes } from '../mime/parse/read-content.ts'
import { findMailHeads, listMailIds } from '../store/mail/address-mail.ts'
import type { MailHead } from '../store/mail/address-mail.ts'
import { unbound } from '../store/owner.ts'
import { wordsQuery } from '../store/search/search-query.ts'
import { comparesAllWords } from '../store/search/search.ts'
import type { Tenant } from '../store/schema/values.ts'

/** An address of an owner. */
export interface OwnAddress extends Tenant {
  id: string
}

/** A mailbox in the header of a mail; the name is '' without one. */
export interface NamedMailbox {
  name: string
  address: string
}

/** The mailboxes in the header of a mail. */
export interface Participants {
  from: NamedMailbox
  to: NamedMailbox[]
  cc: NamedMailbox[]
  /** Of the header, then the recipients of the envelope that To and Cc do not name. */
  bcc: NamedMailbox[]
  replyTo: NamedMailbox[]
}

export function participantsOf(head: MailHead): Participants {
  const [to, cc, inBcc, replyTo] = ['to', 'cc', 'bcc', 'reply-to'].map((name) => mailboxesIn(head, name)) as
    [NamedMailbox[], NamedMailbox[], NamedMailbox[], NamedMailbox[]]
  const named = new Set([...to, ...cc, ...inBcc].map(({ address }) => comparedAddress(address)))
  const hidden = head.recipients.filter((recipient) => !named.has(comparedAddress(recipient)))
  return {
    from: { name: head.fromName, address: head.fromAddress },
    to, cc, replyTo,
    bcc: [...inBcc, ...hidden.map((address) => ({ name: '', address }))],
  }
}

const mailboxesIn = (head: MailHead, field: string): NamedMailbox[] =>
  readMailboxes(fieldOf(head, field)).map(({ from, fromName }) => ({ name: fromName, address: from }))

/** The value of a field of the header, '' without one. @param field its name in lower case */
export function fieldOf({ headers }: Pick<MailHead, 'headers'>, field: string): string {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === field)
  return name === undefined ? '' : headers[name]!
}

/** Maximum mails of an address that a search compares with its conditions, the newest ones. */
const maxCompared = 1_000
/** Mails that are read at once: the headers of one may have 256 KiB. */
export const readTogether = 25

export interface MailSearch {
  /** Words that the mail has, as those of `GET /emails?q=`; '' for any mail. */
  words: string
  /** Words that it does not have. */
  excluded: string[]
  matches(head: MailHead): boolean
}

/** A mail that a search has found. */
export type FoundMail = Pick<MailHead, 'id' | 'isRead'>

/**
 * Finds received emails of an address, newest first, among the newest `maxCompared` that have the words.
 * @param turn waits for the next turn of the account, after each step
 */
export async function searchAddress(app: App, address: OwnAddress, search: MailSearch, turn: () => Promise<void>): Promise<FoundMail[]> {
  const excluded = new Set<string>()
  for (const words of search.excluded) {
    const both = `${search.words} ${words}`.trim() // among more mails with the excluded words, those that are found may not be the newest
    for await (const ids of idsWith(app, address, comparesAllWords(both) ? both : words)) {
      for (const id of ids) excluded.add(id)
      await turn()
    }
  }
  const found: FoundMail[] = []
  for await (const ids of idsWith(app, address, search.words)) {
    const heads = await findMailHeads(app.db, ids.filter((id) => !excluded.has(id)))
    const matching = await mapInTurns(heads, turn, (head) => search.matches(head))
    for (const [i, { id, isRead }] of heads.entries()) if (matching[i]) found.push({ id, isRead })
    await turn()
  }
  return found
}

/** Milliseconds of work with mails in a turn of the account. */
const maxWorkMs = 5

/** Maps mails, and waits for a turn where that takes long: the fields of a hostile mail take milliseconds to parse. */
async function mapInTurns<T>(heads: MailHead[], turn: () => Promise<void>, map: (head: MailHead) => T): Promise<T[]> {
  const mapped: T[] = []
  let begunAt = performance.now()
  for (const head of heads) {
    mapped.push(map(head))
    if (performance.now() - begunAt < maxWorkMs) continue
    await turn()
    begunAt = performance.now()
  }
  return mapped
}

/** The ids of the newest received emails of an address that have some words, some at a time. */
async function* idsWith(app: App, { id: addressId, accountId, mode }: OwnAddress, words: string): AsyncGenerator<string[]> {
  let before: string | undefined
  for (let compared = 0; compared < maxCompared; compared += readTogether) {
    const page = { limit: readTogether, offset: 0, before }
    const ids = words === ''
      ? await listMailIds(app.db, addressId, page)
      : (await app.intake.search(unbound({ accountId, mode }), wordsQuery(words), { addressId, type: 'received', isDeleted: false, isCounted: false, ...page })).ids
    if (ids.length > 0) yield ids
    if (ids.length < readTogether) return
    before = ids.at(-1)
  }
}
