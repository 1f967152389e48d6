import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { manyRows } from '../support/store/many-rows.ts'
import type { ManyRows } from '../support/store/many-rows.ts'
import { search, subjects } from '../support/search.ts'
import { sendRaw } from '../support/send-raw.ts'
import { setResponses } from '../support/store/webhooks.ts'
import { indexed } from '../support/store/search-index.ts'

interface Item { id: string }
interface Page { data: Item[], total: number, hasMore: boolean }

/** A page of a list, with its items as `data` for every list. */
async function pageOf(app: TestApp, key: string, path: string): Promise<Page> {
  const { status, body } = await app.api('GET', path, { key })
  expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200)
  return body.data.addresses ? { ...body.data, data: body.data.addresses } : body
}

const lists = ({ addressId, webhookId, oldest }: ManyRows) => [
  '/emails?', '/emails?type=sent&', '/emails?type=received&', `/emails?address_id=${addressId}&`, `/emails?after=${oldest}&`,
  `/emails?address_id=${addressId}&type=sent&`, '/emails?is_deleted=true&', '/emails?q=word&', `/emails?q=word&type=sent&address_id=${addressId}&`,
  '/addresses?', '/addresses?status=active&', '/addresses?status=expired&', '/audit-logs?', `/webhooks/${webhookId}/deliveries?`,
  '/forwarding-addresses?',
]

describe('Lists: pages', function () {
  const newAccount = shareTestApp()

  describe('in a large account', () => {
    let app: TestApp
    let account: ManyRows
    before(async () => {
      app = await newAccount()
      account = await manyRows(app, 240)
    })

    it('have an offset of at most 10,000; beyond that, the error names the field and the alternative', async () => {
      for (const path of lists(account)) {
        expect((await app.api('GET', `${path}offset=10000`, { key: account.key })).status, path).to.equal(200)
        const { status, body } = await app.api('GET', `${path}offset=10001`, { key: account.key })
        expect([status, body.details], path).to.deep.equal([400, [
          { path: 'query.offset', message: 'must be <= 10000; to go further, give the id of the last item as query.before' },
        ]])
      }
    })

    it('have every item once when they are requested by `before`', async () => {
      for (const path of lists(account)) {
        const { data: [newest], total } = await pageOf(app, account.key, `${path}limit=1`)
        const skipped: string[] = []
        // each request for the audit log adds a record, so items move to the next page and appear again
        for (let offset = 0, isEnd = false; !isEnd; offset += 100) {
          const { data } = await pageOf(app, account.key, `${path}limit=100&offset=${offset}`)
          skipped.push(...data.map(({ id }) => id))
          isEnd = data.length < 100
        }
        const ids = [...new Set(skipped)].filter((id) => id < newest!.id)
        const paged: string[] = []
        for (let before: string | undefined = newest!.id; before;) {
          const { data, ...page } = await pageOf(app, account.key, `${path}limit=7&before=${before}`)
          paged.push(...data.map(({ id }) => id))
          expect(page.hasMore, path).to.equal(paged.length < ids.length)
          if (!path.startsWith('/audit-logs')) expect(page.total, path).to.equal(total) // the audit log grows with each request
          before = data.length === 7 ? data.at(-1)!.id : undefined
        }
        expect(paged, path).to.deep.equal(ids)
      }
    })

    it('accept as `before` the id of a deleted item, and of an email that is not in the search index yet', async () => {
      const { key } = account
      const [first, second, third, fourth] = (await pageOf(app, key, '/emails?q=word&limit=4')).data
      await app.api('DELETE', `/emails/${second!.id}`, { key })
      for (const q of ['', 'q=word&']) {
        const ids = async (before: Item) => (await pageOf(app, key, `/emails?${q}limit=2&before=${before.id}`)).data.map(({ id }) => id)
        expect(await ids(first!), q).to.deep.equal([third!.id, fourth!.id])
        expect(await ids(second!), q).to.deep.equal([third!.id, fourth!.id])
        expect((await ids(third!))[0], q).to.equal(fourth!.id)
      }
    })
  })

  it('of 100 emails with the longest texts stay below 560 kB', async () => {
    const app = await newAccount()
    const { id, address } = await app.newAddress()
    // each of these characters takes six bytes of JSON
    const control = '\x01'.repeat(900)
    const mail = (body: string) => Buffer.from([
      `From: =?utf-8?Q?${'=E7=A2=BA'.repeat(300)}?= <${'"'.padEnd(300, 'x')}"@example.org>`, `Subject: ${'確'.repeat(9_000)}`, 'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b', '', '--b', 'Content-Type: text/plain; charset=utf-8', '', body,
      '--b', 'Content-Type: text/html; charset=utf-8', '', `<p>${body}`, '--b--', '',
    ].join('\r\n'))
    const bodies = [`${control}\r\n`.repeat(3), `${'確'.repeat(300)}\r\n`.repeat(60), `${'"\\'.repeat(450)}\r\n`.repeat(10)]
    for (let i = 0; i < 99; i += 3) await Promise.all(bodies.map((body) => sendRaw(app.smtp.port, address, mail(body))))
    await sendRaw(app.smtp.port, address, mail('short'))
    await app.settled()
    await indexed(app)
    for (const query of ['', `address_id=${id}&`, 'q=short&', `before=${'f'.repeat(8)}-ffff-7fff-8fff-${'f'.repeat(12)}&`]) {
      const response = await fetch(`${app.url}/api/v1/emails?${query}limit=100`, { headers: { authorization: `Bearer ${app.key}` } })
      const bytes = (await response.arrayBuffer()).byteLength
      expect(bytes, query).to.be.lessThan(560_000)
      if (!query.startsWith('q=')) expect(bytes, query).to.be.greaterThan(300_000)
    }
    const [short, long] = await app.listEmails({ limit: '2' })
    expect([short!.isTruncated, short!.bodyText.trim(), long!.isTruncated]).to.deep.equal([false, 'short', true])
    expect(long!.subject).to.match(/^確+…$/)
    const { body } = await app.api('GET', `/emails/${long!.id}`)
    expect(body.data.subject).to.equal('確'.repeat(9_000))
    expect(body.data.bodyText.startsWith(long!.bodyText)).to.equal(true)
    expect(body.data.bodyText.length).to.be.greaterThan(long!.bodyText.length)
  })

  it('of 100 deliveries stay below 560 kB, regardless of the responses', async () => {
    const app = await newAccount()
    const { key, webhookId } = await manyRows(app, 112)
    await setResponses(app, '\x01'.repeat(16_384), 'x'.repeat(500))
    const { body } = await app.api('GET', `/webhooks/${webhookId}/deliveries?limit=100`, { key })
    expect(JSON.stringify(body).length).to.be.within(300_000, 560_000)
  })

  it('do not exist for domains: an account has at most 100', async () => {
    const app = await newAccount()
    for (let i = 0; i < 100; i++) expect((await app.api('POST', '/domains', { body: { domain: `d${i}.example.org` } })).status).to.equal(201)
    const { status, body } = await app.api('POST', '/domains', { body: { domain: 'one-more.example.org' } })
    expect([status, body.error]).to.deep.equal([409, 'There are 100 domains already, which is as many as there may be. Delete one first.'])
    const domains = (await app.api('GET', '/domains')).body.data
    expect(domains).to.have.length(100)
    await app.api('DELETE', `/domains/${domains[0].id}`)
    expect((await app.api('POST', '/domains', { body: { domain: 'one-more.example.org' } })).status).to.equal(201)
  })
})

describe('Search: words of a query', () => {
  const newAccount = shareTestApp()

  it('are limited to the five longest, without words that another word begins with', async () => {
    const app = await newAccount()
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'found', text: 'alpha bravo charlie delta foxtrot' })
    for (const when of ['at once', 'once it is indexed']) {
      if (when !== 'at once') await indexed(app)
      expect(subjects(await search(app, 'alpha bravo charlie delta foxtrot a b c')), when).to.deep.equal(['found'])
      expect(subjects(await search(app, 'xy alpha bravo charlie delta foxtrot')), when).to.deep.equal(['found'])
      expect(subjects(await search(app, 'alpha bravo charlie delta missing')), when).to.deep.equal([])
    }
  })
})
