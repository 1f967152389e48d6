import { once } from 'node:events'
import { Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { pino } from 'pino'
import { openTestApp } from '../support/app.ts'
import { search, subjects } from '../support/search.ts'
import { sendRaw } from '../support/send-raw.ts'
import { indexAgain, indexAttempts, indexed, pendingMailboxes, withIndexer } from '../support/store/search-index.ts'
import { lockIndex } from '../support/store/faults.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { countRows } from '../support/store/rows.ts'

/** 164 kB: two runs of combining marks that NFKD decomposes to marks of different classes and has to reorder. */
const marks = `a${'\u0344'.repeat(32_767)}${'\u0f73'.repeat(32_767)}`

const utf8Mail = (subject: string, text: string) => Buffer.from([
  'From: attacker@example.org', `Subject: ${subject}`, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', text, '',
].join('\r\n'))

/** A log that keeps its lines of level error and above. */
function errorLog() {
  const lines: { msg: string }[] = []
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString('utf8')) as { msg: string })
      done()
    },
  })
  return { log: pino({ level: 'error' }, stream), lines }
}

describe('Search index', () => {
  it('indexes 164 kB of combining marks, and no thread is replaced', async function () {
    const { log, lines } = errorLog()
    await using app = await openTestApp({ isRealTime: true, log })
    const [address, other] = [await app.newAddress(), await app.newAddress()]
    await sendRaw(app.smtp.port, address.address, utf8Mail('marks', marks))
    for (let i = 0; i < 5; i++) await app.send({ to: other.address, subject: `mail ${i}`, text: 'word' })
    expect(subjects(await search(app, 'marks'))).to.deep.equal(['marks'])
    await indexed(app)
    expect(subjects(await search(app, 'word'))).to.have.length(5)
    expect(lines).to.deep.equal([])
  })

  it('skips a mail that ended its thread 3 times, also across restarts, and logs it', async function () {
    await using first = await openTestApp()
    const { address } = await first.newAddress()
    for (let i = 0; i < 12; i++) await first.send({ to: address, subject: `mail ${i}`, text: i === 5 ? 'poison' : 'word' })
    await first.settled()
    const { database } = first.app.config
    await first.app.close()
    await indexAgain(database)

    const attempts = async () => {
      await once(new Worker(new URL('../support/store/dying-indexer.ts', import.meta.url), { workerData: database }), 'exit')
      return indexAttempts(database)
    }
    // after the first attempt, each mail of the step is indexed alone
    expect((await attempts())[0]).to.equal(1)
    expect((await attempts())[0]).to.equal(2)
    expect((await attempts())[0]).to.equal(3)
    expect(await attempts()).to.deep.equal([3])

    const { log, lines } = errorLog()
    await using again = await openTestApp({ database, log })
    expect((await search(again, 'word', {}, first.key)).total).to.equal(11)
    expect((await search(again, 'poison', {}, first.key)).total).to.equal(0)
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['mails are left out of the search: each ended the thread that indexes it 3 times'])
    const metrics = await (await fetch(`${again.url}/metrics`)).text()
    expect(metrics).to.contain('mayfly_search_pending_emails{state="waiting"} 0\n')
    expect(metrics).to.contain('mayfly_search_pending_emails{state="given_up"} 1\n')
  })

  it('answers a search without the pending mails when they cannot be indexed', async function () {
    await using app = await openTestApp()
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'indexed', text: 'word' })
    await app.settled()
    await indexed(app)
    let unlock = async () => {}
    do { // the server looks for such mails five times a second, so it may index this one before the lock
      await unlock()
      await indexAgain(app.app.config.database)
      unlock = await lockIndex(app)
    } while (await countRows(app, 'email_search_pending') === 0)
    try {
      expect((await search(app, 'word')).total).to.equal(0)
    } finally {
      await unlock()
    }
    await indexed(app)
    expect((await search(app, 'word')).total).to.equal(1)
  })

  it('indexes mails of the accounts in rotation', async () => {
    await using app = await openTestApp()
    const keys = [app.key, await app.newKey(), await app.newKey()]
    const accounts: string[] = []
    for (const key of keys) {
      const { data } = (await app.api('POST', '/addresses', { key, body: {} })).body
      for (let i = 0; i < (accounts.length === 0 ? 30 : 3); i++) await app.send({ to: data.address, subject: 'mail', text: `word ${i}` })
      accounts.push(data.id)
    }
    await app.settled()
    await app.app.close()
    const { database } = app.app.config
    await indexAgain(database)
    await withIndexer(database, (index) => index({ limit: 8 }))
    const pending = await pendingMailboxes(database)
    expect(accounts.map((id) => pending.filter((addressId) => addressId === id).length)).to.deep.equal([27, 0, 0])
  })

  it('finds mail of one millisecond in the order of arrival, although the newest is indexed first', async () => {
    await using app = await openTestApp()
    const { address } = await app.newAddress()
    for (let i = 0; i < 12; i++) await app.send({ to: address, subject: `mail ${i}`, text: 'word' })
    await app.settled()
    const owner = await ownerOf(app)
    await app.app.close()
    const { database } = app.app.config
    await indexAgain(database)
    const found = await withIndexer(database, async (index, find) => {
      while (await index({ limit: 5, owner }) > 0) { /* until none is left */ }
      return find(owner, 'word')
    })
    expect(found).to.deep.equal(Array.from({ length: 12 }, (_, i) => `mail ${11 - i}`))
  })
})
