import { randomBytes } from 'node:crypto'
import { dayMs } from '../server/clock.ts'
import { createAccount } from '../server/domain/accounts.ts'
import { insertAddress } from '../server/store/addresses/addresses.ts'
import { inTransaction, openDatabase } from '../server/store/database.ts'
import type { Database, Tx } from '../server/store/database.ts'
import { emit } from '../server/store/events/outbox.ts'
import { threadIdOf } from '../server/store/mail/arrivals.ts'
import { insertEmail } from '../server/store/mail/emails.ts'
import { insertMessage } from '../server/store/mail/messages.ts'
import type { Owner } from '../server/store/schema/values.ts'
import { openIndexer } from '../server/store/search/search-index.ts'

export interface Account { owner: Owner, addresses: string[] }

export interface Mailboxes {
  db: Database
  /** Makes an account with numbered mails of some 500 characters, ten seconds apart, at ten addresses. */
  fill(count: number): Promise<Account>
  /** Publishes mails in one transaction, ten seconds apart. @param from the number of the first */
  publish(account: Account, from: number, end: number): Promise<void>
  /** Milliseconds since 1970. */
  now(): number
}

const words = 'account order invoice welcome password reset shipping tracking report update meeting payment ticket summary'.split(' ')
const mailsAtOnce = 500
const addressLifetimeMs = 3_650 * dayMs

interface MailboxesOptions {
  /** The time of the first mail, in milliseconds since 1970. */
  begin?: number
  /** Without it, mails have no source. */
  sourceBytes?: number
}

export async function openMailboxes(
  database: string, { begin = Date.UTC(2026, 0), sourceBytes = 0 }: MailboxesOptions = {},
): Promise<Mailboxes> {
  let now = begin
  const db = await openDatabase(database, { now: () => now, at: () => () => {} })
  const index = openIndexer(db)
  return { db, fill, publish, now: () => now }

  async function fill(count: number): Promise<Account> {
    const begun = performance.now()
    const { id } = await createAccount(db, `a${count}@mail.example`, 'business')
    const owner = { accountId: id, mode: 'live' as const, bound: undefined }
    const account = { owner, addresses: await addAddresses(owner) }
    for (let i = 0; i < count; i += mailsAtOnce) {
      await publish(account, i, Math.min(count, i + mailsAtOnce))
      while (await index({ limit: mailsAtOnce }) > 0) { /* all of them */ }
      db.engine.file?.checkpoint()
    }
    console.log(`${count} mails stored and indexed in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    return account
  }

  function addAddresses(owner: Owner): Promise<string[]> {
    return inTransaction(db, async (tx) => {
      const ids: string[] = []
      for (let i = 0; i < 10; i++) {
        const alias = `${i}-${owner.accountId}`
        ids.push((await insertAddress(tx, { owner, alias, address: `${alias}@mail.example`, expiresAt: begin + addressLifetimeMs, domainId: null }))!.id)
      }
      return ids
    })
  }

  function publish({ owner, addresses }: Account, from: number, end: number): Promise<void> {
    return inTransaction(db, async (tx) => {
      const inserted: Promise<void>[] = []
      for (let i = from; i < end; i++) {
        now += 10_000
        inserted.push(insert(tx, owner, addresses[i % 10]!, i))
      }
      await Promise.all(inserted)
    })
  }

  async function insert(tx: Tx, owner: Owner, addressId: string, i: number) {
    const [message, receivedAt] = [messageOf(db.newId(), i), now]
    const email = { id: db.newId(), addressId, messageId: message.id, receivedAt }
    await insertMessage(tx, message)
    await insertEmail(tx, owner, { ...email, type: 'received', recipient: 'bench@mail.example', isRead: false }, message.sizeBytes)
    await emit(tx, owner, 'email.received', { emailId: email.id, addressId })
  }

  function messageOf(id: string, i: number) {
    const text = `Your confirmation code is ${(i * 7919 + 482913) % 1_000_000}, number${i}, ${i % 2 ? 'odd' : 'even'}. ` +
      Array.from({ length: 20 }, (_, n) => words[(i * 31 + n * n * 17) % words.length]).join(' ')
    return {
      id, receivedAt: now, sizeBytes: text.length, hasAttachments: false, from: 'no-reply@shop.example', fromName: 'Example Shop',
      subject: `Your code ${i}`, preview: text.slice(0, 100), problem: null, envelope: {}, codes: [], codeDetails: [], hasOtherCode: false, links: [], hiddenText: false,
      headers: { References: `<${firstOfThread(i)}>` }, bodyText: text, bodyHtml: '', source: sourceBytes > 0 ? randomBytes(sourceBytes) : null,
    }
  }
}

/** The thread of a numbered mail, which has ten mails at its address. */
export function threadOf(i: number): string {
  return threadIdOf({ messageId: null, inReplyTo: null, references: [firstOfThread(i)] }, '')
}
function firstOfThread(i: number): string {
  return `thread${Math.floor(i / 100) * 10 + i % 10}@shop.example`
}
