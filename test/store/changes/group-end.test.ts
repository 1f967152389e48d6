import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../server/clock.ts'
import { addAccountBytes, insertAccount } from '../../../server/store/accounts/accounts.ts'
import { insertAddress, removeAddress } from '../../../server/store/addresses/addresses.ts'
import type { Connection } from '../../../server/store/connection.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Database, Tx } from '../../../server/store/database.ts'
import { emit, readOutbox } from '../../../server/store/events/outbox.ts'
import { removeMailboxCounts } from '../../../server/store/mail/email-counts.ts'
import { emptyMailbox, removeBeyondMax, removeEmailsOf, removeOldEmails } from '../../../server/store/mail/email-removal.ts'
import { markEmailDeleted, insertEmail, setEmailFlags } from '../../../server/store/mail/emails.ts'
import { insertMessage } from '../../../server/store/mail/messages.ts'
import { countedLater } from '../../../server/store/outgoing/mail-counts.ts'
import { insertMailDelivery } from '../../../server/store/outgoing/mail-deliveries.ts'
import type { Owner } from '../../../server/store/schema/values.ts'
import { newDatabase, newFolder } from '../../support/new-database.ts'
import { stopTime } from '../../support/stopped-time.ts'
import { rawSql } from '../../support/store/raw-sql.ts'

const mailBytes = 10

const dayMs = 24 * 3600 * 1000

describe('Group commit: counters and events at the end of a group', () => {
  let folder: string
  let db: Database
  let owner: Owner
  beforeEach(async () => {
    folder = await newFolder()
    db = await openDatabase(await newDatabase(join(folder, 'mayfly.db')), systemClock)
    owner = { accountId: (await inTransaction(db, (tx) => insertAccount(tx, 'a@example.org', 'business'))).id, mode: 'live', bound: undefined }
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  const newAddress = (alias: string, of = owner, maxEmails?: number) => inTransaction(db, async (tx) => (await insertAddress(tx, {
    owner: of, alias, address: `${alias}@mail.localhost`, expiresAt: tx.now + dayMs, domainId: null, maxEmails,
  }))!.id)

  async function receive(tx: Tx, addressId: string, of = owner): Promise<string> {
    const [id, messageId] = [tx.newId(), tx.newId()]
    await insertMessage(tx, {
      id: messageId, receivedAt: tx.now, sizeBytes: mailBytes, hasAttachments: false, from: 'a@example.org', fromName: '', subject: '', preview: '',
      problem: null, envelope: {}, codes: [], codeDetails: [], hasOtherCode: false, links: [], hiddenText: false, headers: {}, bodyText: '', bodyHtml: '', source: null,
    })
    await insertEmail(tx, of, {
      id, addressId, messageId, type: 'received', recipient: 'a', receivedAt: tx.now, isRead: false,
    }, mailBytes)
    await emit(tx, of, 'email.received', { addressId, emailId: id })
    return id
  }

  async function removeWithMail(tx: Tx, addressId: string) {
    await removeAddress(tx, owner, addressId)
    removeMailboxCounts(tx, owner, addressId)
    await emptyMailbox(tx, addressId, 1_000)
  }

  /** Each counter beside the rows that it counts, by name; only those that differ, and are not of emails ever received. */
  async function wrongCounters(): Promise<object[]> {
    const differing = (counted: string, condition: string) => rawSql(db, `select * from (${counted}) counted where ${condition}`)
    const mails = await differing(`select email_counts.owner, type, is_deleted, total, unread,
        (select count(*) from emails where (address_id = owner or account_id || '/' || mode = owner)
          and emails.type = email_counts.type and emails.is_deleted = email_counts.is_deleted) as emails,
        (select count(*) from emails where address_id = owner and emails.type = email_counts.type and is_read = 0
          and emails.is_deleted = email_counts.is_deleted and emails.is_deleted = 0) as unread_emails
      from email_counts`, 'total <> emails or unread <> unread_emails')
    const orphans = await rawSql(db, `select owner as orphan from email_counts where owner not like '%/%' and owner not in (select id from addresses)`)
    const bytes = await differing(`select account_id, bytes, (select count(*) * ${mailBytes} from emails
      where emails.account_id = account_bytes.account_id) as stored from account_bytes`, 'bytes <> stored')
    const totals = await differing(`select addresses, active_addresses, (select count(*) from addresses
      where addresses.account_id = totals.account_id and addresses.mode = totals.mode) as found from totals`,
    'addresses <> found or active_addresses <> found')
    return [...mails, ...orphans, ...bytes, ...totals]
  }

  const countOf = async (sql: string) => (await rawSql<{ n: number | null }>(db, `select (${sql}) as n`))[0]!.n

  it('counts many mails to one account, with changes and removals in the same commit', async () => {
    using time = stopTime() // a group takes changes for some milliseconds
    const addresses = await Promise.all(['a', 'b', 'c', 'd'].map((alias) => newAddress(alias)))
    const [kept, other, removed] = addresses as [string, string, string]
    let commits = 0
    db.commits.on('committed', () => commits++)
    const ids: string[] = []
    await Promise.all([
      ...Array.from({ length: 60 }, (_, i) => inTransaction(db, async (tx) => { ids.push(await receive(tx, addresses[i % 3]!)) })),
      inTransaction(db, async (tx) => { await setEmailFlags(tx, owner, ids[0]!, { isRead: true }) }), // kept
      inTransaction(db, async (tx) => { await setEmailFlags(tx, owner, ids[3]!, { isRead: true }) }), // kept
      inTransaction(db, async (tx) => { await markEmailDeleted(tx, owner, ids[3]!) }),
      inTransaction(db, async (tx) => { await markEmailDeleted(tx, owner, ids[1]!) }), // other
      inTransaction(db, (tx) => removeWithMail(tx, removed)),
      inTransaction(db, (tx) => removeWithMail(tx, addresses[3]!)), // without mail
    ])
    time.pass(1_000) // beyond that
    expect(commits).to.equal(1)
    expect(await wrongCounters()).to.deep.equal([])
    const counters = await rawSql(db, 'select owner, is_deleted, total, ever, unread from email_counts where total > 0 order by owner, is_deleted')
    const account = `${owner.accountId}/live`
    expect(counters).to.have.deep.members([
      { owner: kept, is_deleted: 0, total: 19, ever: 20, unread: 18 }, { owner: kept, is_deleted: 1, total: 1, ever: 0, unread: 0 },
      { owner: other, is_deleted: 0, total: 19, ever: 20, unread: 19 }, { owner: other, is_deleted: 1, total: 1, ever: 0, unread: 0 },
      { owner: account, is_deleted: 0, total: 38, ever: 60, unread: 0 }, { owner: account, is_deleted: 1, total: 2, ever: 0, unread: 0 },
    ])
    expect(await countOf('select sum(received) from daily_counts')).to.equal(60)
    expect(await countOf('select addresses from totals')).to.equal(2)
  })

  it('counts mails of more accounts and mailboxes than one statement has rows', async () => {
    const accounts = await Promise.all(Array.from({ length: 80 }, (_, i) => inTransaction(db, async (tx): Promise<Owner> =>
      ({ accountId: (await insertAccount(tx, `${i}@example.org`, 'free')).id, mode: 'live', bound: undefined }))))
    const addresses = await Promise.all(accounts.map((of, i) => newAddress(`of-${i}`, of)))
    await inTransaction(db, async (tx) => { for (const [i, id] of addresses.entries()) await receive(tx, id, accounts[i]) })
    expect(await wrongCounters()).to.deep.equal([])
    expect(await countOf('select count(*) from email_counts where total = 1')).to.equal(160)
    expect(await countOf(`select count(*) from account_bytes where bytes = ${mailBytes}`)).to.equal(80)
    expect(await countOf('select count(*) from outbox')).to.equal(80)
  })

  it('leaves no counter and no event of a change that is rolled back, and those of the others of its group', async () => {
    const addressId = await newAddress('a')
    const receiveOne = (fails: boolean) => inTransaction(db, async (tx) => {
      await receive(tx, addressId)
      if (fails) throw new Error('it fails')
    })
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => receiveOne(i % 3 === 1)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).to.have.length(10)
    await receiveOne(true).catch(() => {}) // alone
    expect(await wrongCounters()).to.deep.equal([])
    expect(await countOf(`select total from email_counts where owner = '${addressId}'`)).to.equal(20)
    expect(await countOf('select sum(received) from daily_counts')).to.equal(20)
    expect(await countOf('select count(*) from outbox')).to.equal(20)
  })

  it('numbers events in the order of the commits, and within a commit in the order in which they were emitted', async () => {
    const addressId = await newAddress('a')
    const emitted: string[] = []
    const change = (name: string) => inTransaction(db, async (tx) => {
      for (const part of ['a', 'b']) await emit(tx, owner, 'address.created', { addressId, name: `${name}${part}` })
      emitted.push(`${name}a`, `${name}b`)
    })
    await Promise.all(Array.from({ length: 200 }, (_, i) => change(`${i}`)))
    await change('last')
    const events = await readOutbox(db, 0, 1_000)
    expect(events.map(({ data }) => (JSON.parse(data) as { name: string }).name)).to.deep.equal(emitted)
    expect(events.map(({ seq }) => seq)).to.deep.equal(emitted.map((_, i) => i + 1))
  })

  it('writes the counters and the events after all else, when it has the lock of the end', async () => {
    const addressId = await newAddress('a')
    const { writer, locks } = db.engine
    const written: string[] = []
    const { execute } = writer
    writer.execute = ((sql, parameters) => {
      const table = /^(?:insert into|update|delete from) "(\w+)"/.exec(sql)?.[1]
      if (table) written.push(table)
      return execute(sql, parameters)
    }) satisfies Connection['execute']
    db.engine.locks = { ...locks, lockEnd() { written.push('lock') } }
    await Promise.all([1, 2].map(() => inTransaction(db, (tx) => receive(tx, addressId))))
    // one commit, or two where the first change takes long
    expect(written.join(' ')).to.match(/^(?:(?:messages emails )+lock email_counts daily_counts account_bytes outbox ?)+$/)
    expect(written.filter((table) => table === 'messages')).to.have.length(2)
    written.length = 0
    await inTransaction(db, async () => {})
    expect(written).to.deep.equal([])
  })

  it('inserts no row for a sum that only subtracts, such as of an account that was removed', async () => {
    const addressId = await newAddress('a')
    await inTransaction(db, (tx) => receive(tx, addressId))
    await inTransaction(db, async (tx) => {
      await removeEmailsOf(tx, owner.accountId, 10)
      await tx.sql.deleteFrom('account_bytes').execute()
    })
    expect(await countOf('select count(*) from account_bytes')).to.equal(0)
    await inTransaction(db, async (tx) => {
      addAccountBytes(tx, owner.accountId, 7)
      addAccountBytes(tx, owner.accountId, -5)
    })
    expect(await countOf('select bytes from account_bytes')).to.equal(2)
  })

  it('subtracts an email as it is when it is removed, and once', async () => {
    const addressId = await newAddress('a')
    const ids = await Promise.all([1, 2, 3].map(() => inTransaction(db, (tx) => receive(tx, addressId))))
    const removeAll = () => inTransaction(db, (tx) => removeOldEmails(tx, { after: '', before: tx.now + dayMs, limit: 10 }))
    const [, , first, second] = await Promise.all([
      inTransaction(db, (tx) => setEmailFlags(tx, owner, ids[0]!, { isRead: true })),
      inTransaction(db, (tx) => markEmailDeleted(tx, owner, ids[1]!)),
      removeAll(),
      removeAll(),
    ])
    expect([first.seen, second.seen]).to.deep.equal([3, 0])
    expect(await countOf('select sum(abs(total) + abs(unread)) from email_counts')).to.equal(0)
    expect(await countOf('select bytes from account_bytes')).to.equal(0)
  })

  it('does not remove emails beyond the maximum of an address that are still being forwarded, and does not ask for another step', async () => {
    const addressId = await newAddress('a', owner, 1)
    const ids = await Promise.all([1, 2, 3, 4].map(() => inTransaction(db, (tx) => receive(tx, addressId))))
    const trim = () => inTransaction(db, (tx) => removeBeyondMax(tx, addressId, 1))
    await inTransaction(db, async (tx) => {
      for (const emailId of ids) await insertMailDelivery(tx, owner, { kind: 'forward', emailId, messageId: emailId, recipient: 'a@b.example' }, countedLater)
    })
    expect(await trim()).to.deep.equal({ removed: 0, isTrimmed: true })
    await inTransaction(db, (tx) => tx.sql.deleteFrom('deliveries').execute())
    expect([await trim(), await trim(), await trim(), await trim()]).to.deep.equal([
      { removed: 1, isTrimmed: false }, { removed: 1, isTrimmed: false }, { removed: 1, isTrimmed: true }, { removed: 0, isTrimmed: true },
    ])
  })

  it('counts an email that is marked as read twice once', async () => {
    const addressId = await newAddress('a')
    const id = await inTransaction(db, (tx) => receive(tx, addressId))
    await inTransaction(db, (tx) => receive(tx, addressId))
    const mark = (isRead: boolean, isStarred?: boolean) => inTransaction(db, (tx) => setEmailFlags(tx, owner, id, { isRead, isStarred }))
    const unread = () => countOf(`select unread from email_counts where owner = '${addressId}'`)
    expect([await Promise.all([mark(true), mark(true, true)]), await unread()]).to.deep.equal([[true, true], 1])
    expect(await countOf(`select is_starred from emails where id = '${id}'`)).to.equal(1)
    expect([await mark(false), await unread()]).to.deep.equal([true, 2])
    expect(await inTransaction(db, (tx) => setEmailFlags(tx, owner, id, { isStarred: false }))).to.equal(true)
    expect(await countOf(`select is_starred + is_read from emails where id = '${id}'`)).to.equal(0)
    expect(await inTransaction(db, (tx) => setEmailFlags(tx, owner, 'missing', { isRead: true }))).to.equal(false)
  })
})
