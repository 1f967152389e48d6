import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database, Tx } from '../../server/store/database.ts'
import type { SearchMaintenance } from '../../server/store/engine.ts'
import { insertEmail } from '../../server/store/mail/emails.ts'
import type { EmailFilter } from '../../server/store/mail/email-list.ts'
import { insertMessage } from '../../server/store/mail/messages.ts'
import { openIndexer } from '../../server/store/search/search-index.ts'
import { searchEmails } from '../../server/store/search/search.ts'
import { newDatabase, newFolder } from '../support/new-database.ts'
import { testEngineOf } from '../support/store/engines.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const owner = { accountId: 'account', mode: 'live' as const }
const addresses = ['0a', '0b', '0c']

interface Mail {
  id: string
  words: string[]
  addressId: string
  type: 'received' | 'sent'
}

describe('Search: accounts with many mails', function () {
  this.timeout(120_000)
  let folder: string
  let db: Database
  let maintenance: SearchMaintenance
  let now = Date.UTC(2026, 0)
  let mails: Mail[] = []

  before(async () => {
    folder = await newFolder()
    db = await openDatabase(await newDatabase(join(folder, 'mayfly.db')), { now: () => now, at: () => () => {} })
    await inTransaction(db, (tx) => tx.sql.insertInto('accounts')
      .values({ id: owner.accountId, email: 'a@example.org', plan: 'business', created_at: now } as never).execute())
    maintenance = db.engine.search.openMaintenance(db)
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
      words: ['every', i % 2 ? 'odd' : 'even', `third${'abc'[i % 3]}`, `tenth${'abcdefghij'[i % 10]}`, i < 4_000 ? 'early' : 'later', `number${i}`],
    }
  }

  async function store(added: Mail[]) {
    for (let i = 0; i < added.length; i += 500) {
      await inTransaction(db, async (tx) => {
        await Promise.all(added.slice(i, i + 500).map(async ({ id, addressId, type, words }) => {
          const text = words.join(' ')
          await insertMessage(tx, {
            id, receivedAt: now, sizeBytes: text.length, hasAttachments: false, from: 'a@example.org', fromName: '', subject: '', preview: '',
            problem: null, envelope: {}, codes: [], links: [], headers: {}, bodyText: text, bodyHtml: '', source: null,
          })
          await insertEmail(tx, owner, { id, addressId, messageId: id, type, recipient: 'b@example.org', receivedAt: now, isRead: false }, text.length)
        }))
      })
    }
    mails = [...mails, ...added].sort((a, b) => a.id < b.id ? 1 : -1)
    await index()
  }

  async function index() {
    const step = openIndexer(db, { record: maintenance.recordIndexed })
    while (await step({ limit: 500 }) > 0) await maintenance.run()
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

  /** An id of the same millisecond. */
  const besides = (id: string, bit = 1n) => `${id.slice(0, -12)}${(BigInt(`0x${id.slice(-12)}`) ^ bit).toString(16).padStart(12, '0')}`

  const partsWithBitmaps = async () => (await rawSql<{ n: number }>(db, testEngineOf(db).bitmapParts)).map(({ n }) => n)

  /** Compares searches with the mails themselves. */
  async function expectSame(query: string, filter: Partial<EmailFilter> = {}) {
    const words = query.split(' ')
    const all = mails.filter((mail) => words.every((word) => mail.words.some((other) => other.startsWith(word))))
      .filter((mail) => !filter.addressId || mail.addressId === filter.addressId)
      .filter((mail) => !filter.type || mail.type === filter.type)
      .filter((mail) => !filter.after || mail.id > filter.after)
    const page = all.filter((mail) => !filter.before || mail.id < filter.before).slice(filter.offset ?? 0)
    const limit = filter.limit ?? 20
    const found = await searchEmails(db, owner, query, { isDeleted: false, limit: 20, offset: 0, ...filter })
    const label = `${query} ${JSON.stringify(filter)}`
    expect(found.emails.map(({ id }) => id), label).to.deep.equal(page.slice(0, limit).map(({ id }) => id))
    expect([found.total, found.hasMore], label).to.deep.equal([Math.min(1_000, all.length), page.length > limit])
  }

  async function expectAllSame() {
    const queries = [
      'odd even', 'thirda thirdb', 'tenthc thirdb', 'tenthd even', 'tenthd odd thirda', 'early later', 'early odd', 'every tenthb', 'number89 odd', 'number12 even',
      'tentha', 'absent odd',
    ]
    const middle = mails[Math.floor(mails.length / 2)]!.id
    const filters: Partial<EmailFilter>[] = [
      {}, { addressId: '0b' }, { type: 'sent' }, { type: 'received', addressId: '0c' }, { before: middle }, { after: middle },
      { before: middle, offset: 30, limit: 5 }, { offset: 290 },
    ]
    for (const query of queries) for (const filter of filters) await expectSame(query, filter)
  }

  it('finds the same mails as a comparison of all', async () => {
    expect(await partsWithBitmaps()).to.include.members([1, 2])
    await expectAllSame()
  })

  it('finds that no mail has frequent words together without the index', async () => {
    const { execute } = db.engine.snapshots
    const { statement, times } = testEngineOf(db).indexSearch
    let searches = 0
    db.engine.snapshots.execute = (sql, parameters) => {
      if (statement.test(sql)) searches++
      return execute(sql, parameters)
    }
    const searchesFor = async (query: string, filter: Partial<EmailFilter> = {}) => {
      searches = 0
      await expectSame(query, filter)
      return searches
    }
    try {
      expect(await searchesFor('odd')).to.be.above(times)
      for (const query of ['odd even', 'tenthc thirdb odd even', 'tenthd thirdb even']) expect(await searchesFor(query), query).to.equal(times)
      expect(await searchesFor('thirdb', { addressId: '0a' })).to.equal(times)
    } finally {
      db.engine.snapshots.execute = execute
    }
  })

  it('finds a mail that comes late with frequent words that no earlier one has together', async () => {
    const [place] = mails.slice(-500)
    await store([{ ...mailOf(0, besides(place!.id, 2n)), words: ['odd', 'even'] }])
    await expectSame('odd even')
    expect((await searchEmails(db, owner, 'odd even', { isDeleted: false, limit: 20, offset: 0 })).total).to.equal(1)
  })

  it('leaves out mail that was removed or deleted since', async () => {
    await remove(mails.filter((_, i) => i % 7 === 0))
    await change(mails.filter((_, i) => i % 11 === 0), (tx, ids) => tx.sql.updateTable('emails').set({ is_deleted: 1 }).where('id', 'in', ids).execute())
    await expectAllSame()
  })

  it('finds mail that comes late, and mail with the number of a removed one', async () => {
    const places = mails.filter((_, i) => i % 100 === 50)
    const late = places.map(({ id }, i) => mailOf(i * 7, besides(id)))
    await store(late)
    await expectAllSame()
    const removed = mails.filter((_, i) => i % 90 === 7)
    await remove(removed)
    await store(removed.map(({ id }, i) => mailOf(i * 3 + 1, id.replace(/.$/, (last) => last === '0' ? '1' : '0'))))
    await expectAllSame()
  })

  it('removes the bitmaps of parts without mail, and makes those of new parts', async () => {
    await remove(mails.slice(1_000))
    await store(Array.from({ length: 5_000 }, (_, i) => mailOf(i)))
    expect(await partsWithBitmaps()).not.to.include(1).and.not.to.be.empty
    await expectAllSame()
  })
})
