import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { search, subjects } from '../support/search.ts'
import { repeatEmail } from '../support/store/mails.ts'
import { indexed } from '../support/store/search-index.ts'

describe('Search: operators', () => {
  const newAccount = shareTestApp()
  let app: TestApp
  let [billing, checkout] = ['', '']
  let billingId = ''
  const found = async (q: string, query: Record<string, string> = {}) => subjects(await search(app, q, query))
  const idOf = async (subject: string) => (await app.listEmails()).find((email) => email.subject === subject)!.id
  const mark = async (subject: string, marks: object) => app.api('PATCH', `/emails/${await idOf(subject)}`, { body: marks })

  before(async () => {
    app = await newAccount()
    const addresses = [await app.newAddress({ alias: `billing-${Date.now()}` }), await app.newAddress()]
    ;[billing, checkout] = addresses.map(({ address }) => address) as [string, string]
    billingId = addresses[0]!.id
    await app.send({ from: 'Example Shop <no-reply@shop.example>', to: billing, subject: 'Receipt', text: 'Thank you for the payment. payments@other.example' })
    await app.advance({ days: 1 })
    await app.send({ from: 'payments@bank.example', to: [billing, checkout], subject: 'Your code', text: 'Your code is 482913.' })
    await app.advance({ days: 1 })
    await app.send({
      from: 'news@shop.example', to: checkout, subject: 'News of payments', text: `the receipt shop: https://shop.example/news ${'filler '.repeat(20_000)}`,
      attachments: [{ filename: 'a.txt', content: 'a' }],
    })
    await app.settled()
  })

  it('find words in one part of an email', async () => {
    for (const [q, wanted] of [
      ['payments', ['News of payments', 'Your code', 'Your code', 'Receipt']],
      ['from:payments', ['Your code', 'Your code']], ['from:PAY from:bank', ['Your code', 'Your code']], ['from:shop', ['News of payments', 'Receipt']],
      ['from:no-reply@shop.example', ['Receipt']], ['from:@shop.example', ['News of payments', 'Receipt']], ['from:reply-no', []],
      ['from:"example shop"', ['Receipt']], ['from:"reply example"', []],
      ['subject:receipt', ['Receipt']], ['subject:payments', ['News of payments']], ['subject:absent', []], ['subject:🎉', []],
      [`to:${billing}`, ['Your code', 'Receipt']], ['to:billing from:bank', ['Your code']], ['to:absent', []],
    ] as const) expect(await found(q), q).to.deep.equal(wanted)
  })

  it('find an address among the recipients as a word, and no part of it', async () => {
    expect(await found(billing)).to.deep.equal(['Your code', 'Receipt'])
    expect(await found(checkout)).to.deep.equal(['News of payments', 'Your code'])
    expect(await found(billing.split('-')[0]!)).to.deep.equal([])
  })

  it('find emails by what they have', async () => {
    for (const [q, wanted] of [
      ['has:code', ['Your code', 'Your code']], ['has:link', ['News of payments']], ['has:attachment', ['News of payments']],
      ['has:code has:link', []], ['-has:code', ['News of payments', 'Receipt']], ['-has:code -has:link', ['Receipt']],
    ] as const) expect(await found(q), q).to.deep.equal(wanted)
  })

  it('exclude words, phrases and parts', async () => {
    for (const [q, wanted] of [
      ['payments -code', ['News of payments', 'Receipt']], ['-payments', []], ['-code', ['News of payments', 'Receipt']], ['-absent -code', ['News of payments', 'Receipt']],
      ['shop -from:news', ['Receipt']], ['-from:shop', ['Your code', 'Your code']], ['-482913 -subject:news', ['Receipt']],
      ['-"for the payment" -code', ['News of payments']], ['payments -payments', []],
    ] as const) expect(await found(q), q).to.deep.equal(wanted)
  })

  it('find the words of a phrase one after the other', async () => {
    for (const [q, wanted] of [
      ['"thank you for"', ['Receipt']], ['"you thank"', []], ['"for the pay"', ['Receipt']], ['"or the payment"', []], ['"Your code is 4829"', ['Your code', 'Your code']],
      ['"receipt"', ['News of payments', 'Receipt']], ['subject:"your code"', ['Your code', 'Your code']], ['subject:"code your"', []],
      ['"code your"', []],
    ] as const) expect(await found(q), q).to.deep.equal(wanted)
  })

  it('find emails by size and by day', async () => {
    for (const [q, wanted] of [
      ['larger:100kb', ['News of payments']], ['larger:1mb', []], ['larger:0 receipt', ['News of payments', 'Receipt']],
      ['after:2026-03-15', ['News of payments', 'Your code', 'Your code']], ['before:2026-03-15', ['Receipt']], ['before:2026-03-14', []],
      ['after:2026-03-15 before:2026-03-16', ['Your code', 'Your code']], ['after:2026-03-16 payments', ['News of payments']],
    ] as const) expect(await found(q), q).to.deep.equal(wanted)
  })

  it('find emails by their marks, at once', async () => {
    await mark('Receipt', { isRead: true, isStarred: true })
    for (const [q, wanted] of [
      ['is:read', ['Receipt']], ['is:unread', ['News of payments', 'Your code', 'Your code']], ['-is:read has:link', ['News of payments']],
      ['is:starred', ['Receipt']], ['-is:starred code', ['Your code', 'Your code']], ['is:read is:unread', []], ['is:unread "thank you"', []],
    ] as const) expect(await found(q), q).to.deep.equal(wanted)
    await mark('Receipt', { isRead: false, isStarred: false })
    expect(await found('is:read')).to.deep.equal([])
  })

  it('combine with the filters of the list', async () => {
    expect(await found('is:unread', { address_id: billingId })).to.deep.equal(['Your code', 'Receipt'])
    expect(await found('-code', { address_id: billingId, type: 'received' })).to.deep.equal(['Receipt'])
    expect(await found('larger:1', { type: 'sent' })).to.deep.equal([])
    expect(await found('has:code', { to: billing })).to.deep.equal(['Your code'])
    expect(await found('is:unread', { after: await idOf('Receipt') })).to.deep.equal(['News of payments', 'Your code', 'Your code'])
    expect(await found('is:unread', { is_deleted: 'true' })).to.deep.equal([])
  })

  it('are refused with the name of the parameter', async () => {
    const { status, body } = await app.api('GET', '/emails?q=form:shop')
    expect([status, body.code]).to.deep.equal([400, 'INVALID_REQUEST'])
    expect(body.error).to.match(/^query\.q: has an unknown operator, `form:`\. The operators are from: to: /)
    expect(body.details[0].path).to.equal('query.q')
  })

  it('page through many emails, with the right totals', async function () {
    this.timeout(60_000)
    app = await newAccount()
    const address = await app.newAddress()
    await app.send({ to: address.address, subject: 'one', text: 'first words of many' })
    await app.settled()
    await repeatEmail(app, address.id, 1_300)
    await indexed(app)
    const all: string[] = []
    for (let offset = 0; offset < 1_301; offset += 100) {
      all.push(...(await search(app, 'words', { limit: '100', offset: String(offset) })).data.map(({ id }) => id))
    }
    const read = all.filter((_, i) => i % 100 === 50)
    for (const id of read) await app.api('PATCH', `/emails/${id}`, { body: { isRead: true } })
    expect(await search(app, '"first words"', { limit: '5' })).to.deep.include({ total: 1_000, hasMore: true })
    for (const [q, ids] of [
      ['is:read', read], ['is:unread', all.filter((id) => !read.includes(id))], ['larger:10', all], ['-absent', all], ['is:read words', read],
    ] as const) {
      expect(await search(app, q, { limit: '5' }), q).to.deep.include({ total: Math.min(1_000, ids.length), hasMore: ids.length > 5 })
      const seen: string[] = []
      for (let before = ''; ;) {
        const page = await search(app, q, { limit: '100', ...before && { before } })
        seen.push(...page.data.map(({ id }) => id))
        expect(page.total, q).to.equal(Math.min(1_000, ids.length))
        if (!page.hasMore) break
        before = seen.at(-1)!
      }
      expect(seen, q).to.deep.equal(ids)
      const second = await search(app, q, { limit: '5', offset: '5' })
      expect(second.data.map(({ id }) => id), q).to.deep.equal(ids.slice(5, 10))
    }
  })
})
