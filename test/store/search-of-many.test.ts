import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database, Tx } from '../../server/store/database.ts'
import { emit } from '../../server/store/events/outbox.ts'
import { insertEmail } from '../../server/store/mail/emails.ts'
import type { EmailFilter } from '../../server/store/mail/email-list.ts'
import { insertMessage } from '../../server/store/mail/messages.ts'
import type { Bit } from '../../server/store/schema/values.ts'
import { openIndexer } from '../../server/store/search/search-index.ts'
import { parseSearch } from '../../server/store/search/search-query.ts'
import { compareSome, searchIndex } from '../../server/store/search/search.ts'
import { newDatabase, newFolder } from '../support/new-database.ts'

const owner = { accountId: 'account', mode: 'live' as const, bound: undefined }
const addresses = ['0a', '0b', '0c']

interface Mail {
  id: string
  words: string[]
  addressId: string
  type: 'received' | 'sent'
}

describe('Search: accounts with many mails', function () {
  let folder: string
  let db: Database
  let now = Date.UTC(2026, 0)
  let mails: Mail[] = []

  before(async () => {
    folder = await newFolder()
    db = await openDatabase(await newDatabase(join(folder, 'mayfly.db')), { now: () => now, at: () => () => {} })
    await inTransaction(db, (tx) => tx.sql.insertInto('accounts')
      .values({ id: owner.accountId, email: 'a@example.org', plan: 'business', created_at: now } as never).execute())
    await store(Array.from({ length: 9_000 }, (_, i) => mailOf(i)))
  })
  after(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  /** Words in every mail, in each second, third, … */
  function mailOf(i: number, id?: string): Mail {
    now += 997
    return {
      id: id ?? db.newId(), addressId: addresses[i % 3]!, type: i % 10 === 0 ? 'sent' : 'received',
      words: ['every', i % 2 ? 'odd' : 'even', `third${'abc'[i % 3]}`, `sixth${'abcdef'[i % 6]}`, `tenth${'abcdefghij'[i % 10]}`, i < 4_000 ? 'early' : 'later', `number${i}`],
    }
  }

  async function store(added: Mail[]) {
    for (let i = 0; i < added.length; i += 500) {
      await inTransaction(db, async (tx) => {
        await Promise.all(added.slice(i, i + 500).map(async ({ id, addressId, type, words }) => {
          const text = words.join(' ')
          await insertMessage(tx, {
            id, receivedAt: now, sizeBytes: text.length, hasAttachments: false, from: 'a@example.org', fromName: '', subject: '', preview: '',
            problem: null, envelope: {}, codes: [], codeDetails: [], hasOtherCode: false, links: [], hiddenText: false, headers: {}, bodyText: text, bodyHtml: '', source: null,
          })
          await insertEmail(tx, owner, { id, addressId, messageId: id, type, recipient: 'b@example.org', receivedAt: now, isRead: false }, text.length)
          await emit(tx, owner, 'email.received', { emailId: id, addressId })
        }))
      })
    }
    await index()
    await sortMails(added)
  }

  async function index() {
    const step = openIndexer(db)
    while (await step({ limit: 500 }) > 0) { /* all of them */ }
  }

  /** Adds mails, and sorts all as the engine does, newest first: by their numbers, on PostgreSQL by their ids. */
  async function sortMails(added: Mail[]) {
    const rows = await db.sql.selectFrom('emails').select('id').orderBy(db.engine.file ? 'seq' : 'id', 'desc').execute()
    const byId = new Map([...mails, ...added].map((mail) => [mail.id, mail]))
    mails = rows.flatMap(({ id }) => byId.get(id) ?? [])
  }

  async function remove(removed: Mail[]) {
    await change(removed, (tx, ids) => tx.sql.deleteFrom('emails').where('id', 'in', ids).execute())
  }

  async function change(changed: Mail[], apply: (tx: Tx, ids: string[]) => Promise<unknown>) {
    for (let i = 0; i < changed.length; i += 500) {
      await inTransaction(db, (tx) => apply(tx, changed.slice(i, i + 500).map(({ id }) => id)))
    }
    mails = mails.filter((mail) => !changed.includes(mail))
    await index()
  }

  const setDeletedIn = (tx: Tx, ids: string[], isDeleted: Bit) =>
    tx.sql.updateTable('emails').set({ is_deleted: isDeleted }).where('id', 'in', ids).execute()

  /** An id of a millisecond later. */
  function afterId(id: string): string {
    const time = (BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}`) + 1n).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`
  }

  const search = (q: string, filter: Partial<EmailFilter> = {}) =>
    searchIndex(db, { owner, query: parseSearch(q), filter: { isDeleted: false, limit: 20, offset: 0, ...filter } })

  /** Compares searches with the mails themselves. A word with a minus sign is not in them. */
  async function expectSame(query: string, filter: Partial<EmailFilter> = {}) {
    const words = query.split(' ')
    const hasWord = (mail: (typeof mails)[number], word: string) => mail.words.some((other) => other.startsWith(word))
    const all = mails.filter((mail) => words.every((word) => word.startsWith('-') ? !hasWord(mail, word.slice(1)) : hasWord(mail, word)))
      .filter((mail) => !filter.addressId || mail.addressId === filter.addressId)
      .filter((mail) => !filter.type || mail.type === filter.type)
      .filter((mail) => !filter.after || mail.id > (filter.after as { id: string }).id)
    const later = mails.findIndex(({ id }) => id === filter.before)
    const page = all.filter((mail) => mails.indexOf(mail) > later).slice(filter.offset ?? 0)
    const limit = filter.limit ?? 20
    const found = await search(query, filter)
    const label = `${query} ${JSON.stringify(filter)}`
    expect(found.ids, label).to.deep.equal(page.slice(0, limit).map(({ id }) => id))
    expect([found.total, found.hasMore], label).to.deep.equal([Math.min(1_000, all.length), page.length > limit])
  }

  async function expectAllSame() {
    const queries = [
      'odd even', 'thirda thirdb', 'tenthc thirdb', 'tenthd even', 'tenthd odd thirda', 'early later', 'early odd', 'every tenthb', 'number89 odd', 'number12 even',
      'tentha', 'absent odd', 'odd -thirda', '-odd -tenthb', '-absent', 'every -every',
    ]
    const middle = mails[Math.floor(mails.length / 2)]!.id
    const filters: Partial<EmailFilter>[] = [
      {}, { addressId: '0b' }, { type: 'sent' }, { type: 'received', addressId: '0c' }, { before: middle }, { after: { id: middle } },
      { before: middle, offset: 30, limit: 5 }, { offset: 290 },
    ]
    for (const query of queries) for (const filter of filters) await expectSame(query, filter)
  }

  it('end at once for a mark that no email has, whatever else they ask for', async () => {
    for (const q of ['is:starred', 'is:read every', '-is:unread larger:1']) {
      const step = await compareSome(db, { owner, query: parseSearch(q), filter: { isDeleted: false, limit: 20, offset: 0 } }, undefined)
      expect(step, q).to.deep.equal({ ids: [], compared: 0, next: undefined })
    }
  })

  it('finds the same mails as a comparison of all', async () => {
    await expectAllSame()
  })

  it('leaves out mail that was removed or deleted since', async () => {
    await remove(mails.filter((_, i) => i % 7 === 0))
    await change(mails.filter((_, i) => i % 11 === 0), (tx, ids) => setDeletedIn(tx, ids, 1))
    await expectAllSame()
  })

  it('finds mail that comes late, and mail with the number of a removed one', async () => {
    const places = mails.filter((_, i) => i % 100 === 50)
    const late = places.map(({ id }, i) => mailOf(i * 7, `${id.slice(0, -12)}${(parseInt(id.slice(-12), 16) ^ 1).toString(16).padStart(12, '0')}`))
    await store(late)
    await expectAllSame()
    const removed = mails.filter((_, i) => i % 90 === 7)
    await remove(removed)
    await store(removed.map(({ id }, i) => mailOf(i * 3 + 1, id.replace(/.$/, (last) => last === '0' ? '1' : '0'))))
    await expectAllSame()
  })

  it('finds new mail after most of the old mail is removed', async () => {
    await inTransaction(db, (tx) => tx.sql.deleteFrom('emails').where('is_deleted', '=', 1).execute())
    await remove(mails.slice(1_000))
    await store(Array.from({ length: 3_000 }, (_, i) => mailOf(i)))
    await expectAllSame()
  })

  it('finds a mail that comes late with frequent words that no earlier one has together', async () => {
    const [place] = mails.slice(-500)
    const late = { ...mailOf(0, afterId(place!.id)), words: ['odd', 'even'] }
    const found = async () => (await search('odd even')).ids
    await store([late])
    expect(await found()).to.deep.equal([late.id])
    await store(Array.from({ length: 600 }, (_, i) => mailOf(i)))
    expect(await found()).to.deep.equal([late.id])
    const setDeleted = (isDeleted: Bit) => change([late], (tx) => setDeletedIn(tx, [late.id], isDeleted))
    await setDeleted(1)
    expect(await found()).to.deep.equal([])
    await setDeleted(0)
    await sortMails([late])
    expect(await found()).to.deep.equal([late.id])
    await expectAllSame()
  })
})
