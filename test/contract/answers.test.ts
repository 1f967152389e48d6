import { expect } from 'chai'
import { firstIdAt } from '../../sdk/core/ids.ts'
import { answerWorlds, newMailbox } from './answer-worlds.ts'
import type { AnswerWorld, Call } from './answer-worlds.ts'

const dayMs = 86_400_000

for (const [name, open] of answerWorlds) {
  describe(`Answers agree with their requests: ${name}`, () => {
    let world: AnswerWorld
    let call: Call
    let mailbox: Awaited<ReturnType<typeof newMailbox>>

    before(async () => {
      world = await open()
      call = world.call
      await call('POST', '/addresses', { body: { alias: 'older' } })
      mailbox = await newMailbox(call)
    })
    after(() => world?.[Symbol.asyncDispose]())

    it('a new address has the requested alias and lifetime', async () => {
      const { data } = (await call('POST', '/addresses', { body: { alias: 'Foo.Bar', expiresIn: 3600 } })).json
      expect(data).to.include({ alias: 'foo.bar', address: 'foo.bar@mail.localhost', forwarding: null })
      expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).to.equal(3_600_000)
      const { data: longest } = (await call('POST', '/addresses', { body: {} })).json
      expect(Date.parse(longest.expiresAt) - Date.parse(longest.createdAt)).to.equal(30 * dayMs)
    })

    it('an active address was created in the past and expires in the future', async () => {
      const { data } = (await call('GET', '/addresses?status=active')).json
      expect(data.addresses).not.to.deep.equal([])
      for (const { isActive, createdAt, expiresAt } of data.addresses) {
        expect(isActive).to.equal(true)
        expect(Date.parse(createdAt)).to.be.at.most(Date.now())
        expect(Date.parse(expiresAt)).to.be.above(Date.now())
      }
    })

    it('X-RateLimit-Reset is at most a minute away', async () => {
      for (const path of ['/addresses', '/addresses?limit=1000', '/nothing']) {
        const seconds = Number((await call('GET', path)).headers['x-ratelimit-reset']) - Date.now() / 1000
        expect(seconds, path).to.be.within(-1, 61)
      }
    })

    it('a resource has the id that is in the path', async () => {
      const { addressId, emailId } = mailbox
      expect((await call('GET', `/addresses/${addressId}`)).json.data.id).to.equal(addressId)
      expect((await call('GET', `/emails/${emailId}`)).json.data).to.include({ id: emailId, addressId })
      expect((await call('PATCH', `/emails/${emailId}`, { body: { isStarred: true } })).json.data).to.include({ id: emailId, isStarred: true })
      expect((await call('GET', `/emails/${emailId}/raw`)).headers['content-disposition']).to.match(new RegExp(`filename="?${emailId}\\.eml"?$`))
    })

    it('a download has the name and the type of the attachment', async () => {
      const { attachments: [{ id }] } = (await call('GET', `/emails/${mailbox.emailId}`)).json.data
      const { headers, text } = await call('GET', `/emails/${mailbox.emailId}/attachments/${id}`)
      expect([headers['content-type'], headers['content-disposition'], text])
        .to.deep.equal(['text/plain', 'attachment; filename=terms.txt', 'Terms and conditions apply.\r\n\r\n'])
    })

    it('a page is the requested part of the list', async () => {
      const { addresses, total } = (await call('GET', '/addresses')).json.data
      expect(total).to.equal(addresses.length).and.be.at.least(2)
      const first = (await call('GET', '/addresses?limit=1')).json.data
      expect(first).to.deep.equal({ addresses: addresses.slice(0, 1), total, limit: 1, offset: 0, hasMore: true })
      expect((await call('GET', `/addresses?limit=1&before=${addresses[0].id}`)).json.data.addresses).to.deep.equal([addresses[1]])
      const beyond = (await call('GET', '/addresses?offset=100')).json.data
      expect(beyond).to.deep.equal({ addresses: [], total, limit: 20, offset: 100, hasMore: false })
    })

    it('a list of emails has only the emails that match its filters', async () => {
      const listOf = async (query: string) => (await call('GET', `/emails?${query}`)).json.data as { id: string, type: string, subject: string }[]
      expect(new Set((await listOf('type=received')).map(({ type }) => type))).to.deep.equal(new Set(['received']))
      expect((await listOf('q=confirmation+482913&type=received')).map(({ subject }) => subject)).to.deep.equal(['482913 is your confirmation code'])
      expect(await listOf('q=nowhere')).to.deep.equal([])
      const { cursor } = (await call('GET', '/emails')).json
      expect(await listOf(`after=${cursor}`)).to.deep.equal([])
    })

    it('a wait answers with the email that matches, or with 204', async () => {
      const any = '00000000-0000-7000-8000-000000000000'
      const found = await call('GET', `/emails/wait?address_id=${mailbox.addressId}&after=${any}&from=SHOP&subject=confirmation&timeout=0`)
      expect([found.status, found.json.data.addressId]).to.deep.equal([200, mailbox.addressId])
      const [id, cursor] = [found.json.data.id, found.headers['x-mayfly-cursor']].map(String)
      for (const query of [`after=${any}&subject=invoice`, `after=${any}&from=nobody`, `after=${id}`, `after=${cursor}`]) {
        const none = await call('GET', `/emails/wait?address_id=${mailbox.addressId}&${query}&timeout=0`)
        expect([none.status, none.text], query).to.deep.equal([204, ''])
      }
    })

    it('a time in an answer is a position, as an id of that time', async () => {
      const { createdAt } = (await call('GET', `/addresses/${mailbox.addressId}`)).json.data
      const [before, after] = [firstIdAt(Date.parse(createdAt)), firstIdAt(Date.now() + 1000)]
      const wait = async (cursor: string) => call('GET', `/emails/wait?address_id=${mailbox.addressId}&after=${cursor}&timeout=0`)
      expect((await wait(before)).status).to.equal(200)
      const none = await wait(after)
      expect([none.status, none.text]).to.deep.equal([204, ''])
      expect((await call('GET', `/emails?type=received&after=${before}`)).json.data).not.to.deep.equal([])
      expect((await call('GET', `/emails?after=${after}`)).json.data).to.deep.equal([])
    })

    it('an answer to a change shows the changed resource', async () => {
      const { data: domain } = (await call('POST', '/domains', { body: { domain: 'mail.example.net' } })).json
      expect(domain).to.include({ domain: 'mail.example.net' })
      expect([domain.dnsRecords.mx.host, domain.dnsRecords.txt.host]).to.deep.equal(['mail.example.net', 'mail.example.net'])
      const forwarding = (await call('POST', '/forwarding-addresses', { body: { email: 'alan@example.net' } })).json
      expect(forwarding.data).to.include({ email: 'alan@example.net' })
      expect(forwarding.message).to.include('alan@example.net')
      const hook = { url: 'https://hooks.example.net/mail', events: ['email.deleted'] }
      const { data: webhook } = (await call('POST', '/webhooks', { body: hook })).json
      expect(webhook).to.deep.include(hook)
      const { data: off } = (await call('PATCH', `/webhooks/${webhook.id}`, { body: { isActive: false, events: ['address.expired'] } })).json
      expect(off).to.deep.include({ id: webhook.id, isActive: false, disabledReason: 'It was switched off.', events: ['address.expired'] })
      expect(Date.parse(off.disabledAt)).to.be.at.most(Date.now())
    })

    it('daily analytics have the requested number of days, the last one today', async () => {
      const { data } = (await call('GET', '/analytics/daily?days=5')).json
      expect(data).to.have.length(5)
      expect([data[0], data[4]].map(({ day }) => Date.parse(day))).to.satisfy(([first, last]: number[]) =>
        last! - first! === 4 * dayMs && Math.abs(Date.now() - last!) < dayMs + 60_000)
      expect((await call('GET', '/analytics/daily')).json.data).to.have.length(30)
    })

    it('Idempotency-Replayed is true in the answer to a repeated request', async () => {
      const create = (alias: string, headers = {}) => call('POST', '/addresses', { body: { alias }, headers })
      const keyed = { 'idempotency-key': 'a-key-of-this-test' }
      const answers = [await create('once'), await create('twice', keyed), await create('twice', keyed)]
      expect(answers.map(({ status, headers }) => [status, headers['idempotency-replayed']]))
        .to.deep.equal([[201, undefined], [201, undefined], [201, 'true']])
      expect(answers[2]!.json).to.deep.equal(answers[1]!.json)
      const other = await create('thrice', keyed)
      expect([other.status, other.json.code, other.headers['idempotency-replayed']]).to.deep.equal([409, 'CONFLICT', undefined])
    })

    it('the answer to a repeated creation of a webhook has no secret', async () => {
      const body = { url: 'https://hooks.example.com/', events: ['email.received'] }
      const create = () => call('POST', '/webhooks', { body, headers: { 'idempotency-key': 'a-key-of-a-webhook' } })
      const { json: { data: { secret, ...created } } } = await create()
      expect(secret).to.match(/^whsec_/)
      expect((await create()).json.data).to.deep.equal(created)
    })

    it('a DELETE removes the resource whose id is in the path', async () => {
      const { addressId, emailId } = mailbox
      expect((await call('DELETE', `/emails/${emailId}`)).json.data).to.deep.equal({ id: emailId, deleted: true })
      expect((await call('GET', '/emails?is_deleted=true')).json.total).to.equal(1)
      expect((await call('DELETE', `/addresses/${addressId}`)).json.data).to.deep.equal({ id: addressId, deleted: true })
    })
  })
}
