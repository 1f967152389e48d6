import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import { openForwardingWorld, press, shareForwardingWorld, visit } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { rawRequest } from '../support/raw-request.ts'
import { createAccount, ownerOf } from '../support/store/accounts.ts'
import { addDomains } from '../support/store/domains.ts'
import { rowsOf } from '../support/store/rows.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'
const unknown = { error: 'There is no forwarding address with this id.', code: 'NOT_FOUND' }

describe('Forwarding addresses', () => {
  let world: ForwardingWorld
  const newWorld = shareForwardingWorld()
  beforeEach(async () => { world = await newWorld() })

  const create = (email: unknown, key = world.app.key) => world.app.api('POST', '/forwarding-addresses', { key, body: { email } })
  const added = async (email: string, key?: string) => (await create(email, key)).body.data as { id: string, email: string }
  const get = (id: string, key = world.app.key) => world.app.api('GET', `/forwarding-addresses/${id}`, { key })
  const remove = (id: string, key = world.app.key) => world.app.api('DELETE', `/forwarding-addresses/${id}`, { key })
  const list = async (query = '', key = world.app.key) => (await world.app.api('GET', `/forwarding-addresses${query}`, { key })).body.data
  const resend = (id: string, key = world.app.key) => world.app.api('POST', `/forwarding-addresses/${id}/resend-verification`, { key })

  describe('create', () => {
    it('adds an address that is not verified', async () => {
      const { status, body } = await create('Grace.Hopper@Example.COM')
      expect(status).to.equal(201)
      expect(body).to.deep.equal({
        data: { id: body.data.id, email: 'Grace.Hopper@example.com', isVerified: false, createdAt: '2026-03-14T09:00:00.000Z' },
        message: 'A verification email is on its way to Grace.Hopper@example.com.',
      })
      expect((await get(body.data.id.toUpperCase())).body).to.deep.equal({ data: { ...body.data, verifiedAt: null } })
    })

    it('sends its owner a mail with the headers of automatic mail', async () => {
      const { email } = await added('grace@example.com')
      const { sender, recipients, source, sourceText } = await world.receiver.next()
      expect(sender).to.match(/^bounce=[0-9a-z=]+@mail\.localhost$/)
      expect(recipients).to.deep.equal([email])
      const mail = await simpleParser(source)
      expect(mail.from!.value).to.deep.equal([{ name: 'Mayfly', address: 'no-reply@mail.localhost' }])
      expect(sourceText).to.match(/^To: grace@example\.com\r\n/m)
      expect(mail.headers.get('auto-submitted')).to.equal('auto-generated')
      expect(mail.date!.toISOString()).to.equal('2026-03-14T09:00:00.000Z')
      expect(mail.messageId).to.match(/^<[0-9a-f-]{36}@mail\.localhost>$/)
      const link = new RegExp(`^http://localhost:${world.app.app.http.port}/verify-forwarding\\?token=[\\w-]{43}$`, 'm').exec(mail.text!)![0]
      for (const part of [mail.text!, mail.html as string]) {
        expect(part).to.include('grace@example.com').and.include(link).and.include('24 hours').and.include('mail.localhost')
        expect(part).to.match(/if it was not you, ignore/i)
      }
      expect(sourceText).to.not.match(/a\d+-[0-9a-f-]{36}@example\.org/) // the email address of the account
    })

    it('stores no token after the mail is sent', async () => {
      await added('grace@example.com')
      const token = new URL(await world.linkTo('grace@example.com')).searchParams.get('token')!
      await world.app.settled()
      const rows = await Promise.all((['forwarding_addresses', 'deliveries', 'messages', 'message_chunks', 'jobs', 'audit_logs'] as const)
        .map((table) => rowsOf(world.app, table)))
      const kept = rows.flat().flatMap((row) => Object.values(row))
        .map((value: unknown) => value instanceof Uint8Array ? Buffer.from(value).toString() : String(value))
      expect(kept.filter((value) => value.includes(token))).to.deep.equal([])
      expect(kept).to.include('grace@example.com')
    })

    it('treats upper and lower case as the same address', async () => {
      await added('Grace@example.com')
      for (const email of ['Grace@example.com', 'grace@EXAMPLE.com', 'GRACE@example.com']) {
        const { status, body } = await create(email)
        expect(status, email).to.equal(409)
        expect(body.code).to.equal('CONFLICT')
        expect(body.error).to.match(/^grace@example\.com is a forwarding address already\.$/i)
      }
      await world.app.settled()
      expect(world.receiver.mails).to.have.length(1)
    })

    it('adds one address for 20 concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => create(i % 2 ? 'grace@example.com' : 'GRACE@example.com')))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array.from({ length: 19 }, () => 409)])
      await world.app.settled()
      expect(world.receiver.mails).to.have.length(1)
    })

    it('stores an international domain in its ASCII form', async () => {
      expect((await added('grace@XN--bcher-kva.example')).email).to.equal('grace@xn--bcher-kva.example')
    })

    for (const email of ['a@example.com', "o'hara+x@sub.example.com", '{}|~!#$%&*/=?^_`@example.com', `${'x'.repeat(100)}@example.com`]) {
      it(`accepts ${email.slice(0, 40)}`, async () => {
        expect((await added(email)).email).to.equal(email)
        await world.app.settled()
        expect(world.receiver.mails.map(({ recipients }) => recipients)).to.deep.equal([[email]])
      })
    }

    for (const email of [
      '', '@', 'grace', 'grace@', '@example.com', 'grace@localhost', 'grace@127.0.0.1', 'grace@[127.0.0.1]', 'a@b@example.com',
      'grace@example.com, ada@example.com', 'grace@example.com ada@example.com', 'grace@example.com\r\nBcc: ada@example.com', 'grace@example.com\n',
      'grace@example.com\0', '"grace"@example.com', 'grace(x)@example.com', '<grace@example.com', 'a: grace@example.com;', '.grace@example.com', 'grace.@example.com',
      'gr..ace@example.com', ' grace@example.com ', 'G <grace@example.com>', 'grace@bücher.example', 'grace@-example.com', 'grace@example..com', 'grace@example.com.', 'gräce@example.com', 'grace@exam\u212aple.com',
      'grace\u200b@example.com', '<script>@example.com', `${'x'.repeat(101)}@example.com`, `grace@${'x'.repeat(64)}.com`,
      `grace@${'abcdefgh.'.repeat(28)}com`, 'x'.repeat(321), 'x'.repeat(100_000),
    ]) {
      it(`refuses ${JSON.stringify(email.slice(0, 50))}`, async () => {
        const { status, body } = await create(email)
        expect(status).to.equal(400)
        expect(body.code).to.equal('INVALID_REQUEST')
        expect(new Set(body.details.map(({ path }: { path: string }) => path))).to.deep.equal(new Set(['body.email']))
        expect((await list()).total).to.equal(0)
      })
    }

    for (const email of [null, 1, ['grace@example.com'], { a: 1 }, undefined]) {
      it(`refuses ${JSON.stringify(email)}`, async () => {
        const { status, body } = await create(email)
        expect(status).to.equal(400)
        expect(body.details[0].path).to.equal('body.email')
      })
    }

    it('refuses addresses at domains of this server', async () => {
      await using own = await openForwardingWorld({ env: { MAYFLY_DEFAULT_DOMAIN: 'mail.example.net', MAYFLY_MX_HOST: 'mx.example.net' } })
      const create = (email: string) => own.app.api('POST', '/forwarding-addresses', { body: { email } })
      const { id: accountId } = await createAccount(own.app, 'other@example.org')
      await addDomains(own.app, accountId, { 'verified.example': 'verified', 'pending.example': 'pending' })
      for (const domain of ['mail.example.net', 'MAIL.example.net', 'mx.example.net', 'Verified.example']) {
        const { status, body } = await create(`x@${domain}`)
        expect(status, domain).to.equal(400)
        const message = `must not be an address at ${domain.toLowerCase()}, whose mail this server receives`
        expect(body).to.deep.equal({ error: `body.email: ${message}.`, code: 'INVALID_REQUEST', details: [{ path: 'body.email', message }] })
      }
      for (const domain of ['example.net', 'sub.mail.example.net', 'pending.example']) expect((await create(`x@${domain}`)).status).to.equal(201)
    })
  })

  describe('list', () => {
    it('shows the newest first, page by page', async () => {
      for (const name of ['a', 'b', 'c']) await added(`${name}@example.com`)
      const emails = async (query: string) => (await list(query)).addresses.map(({ email }: { email: string }) => email[0])
      expect(await emails('')).to.deep.equal(['c', 'b', 'a'])
      expect(await list('?limit=2')).to.deep.include({ total: 3, limit: 2, offset: 0, hasMore: true })
      expect(await emails('?limit=2&offset=1')).to.deep.equal(['b', 'a'])
      expect(await list('?limit=2&offset=1')).to.deep.include({ total: 3, limit: 2, offset: 1, hasMore: false })
      expect(await list('?offset=9')).to.deep.equal({ addresses: [], total: 3, limit: 20, offset: 9, hasMore: false })
    })

    it('shows isVerified and verifiedAt', async () => {
      const { id } = await added('grace@example.com')
      const link = await world.linkTo('grace@example.com')
      await world.app.advance({ minutes: 5 })
      await press(world.app, link)
      expect((await list()).addresses).to.deep.equal([{
        id, email: 'grace@example.com', isVerified: true, createdAt: '2026-03-14T09:00:00.000Z', verifiedAt: '2026-03-14T09:05:00.000Z',
      }])
    })
  })

  describe('delete', () => {
    it('removes the address, and its link answers 404', async () => {
      const { id } = await added('grace@example.com')
      const link = await world.linkTo('grace@example.com')
      const { status, body } = await remove(id.toUpperCase())
      expect([status, body]).to.deep.equal([200, { message: 'The forwarding address and its rules are deleted.' }])
      for (const again of [await get(id), await remove(id), await resend(id)]) expect(again).to.deep.include({ status: 404, body: unknown })
      expect((await visit(world.app, link)).status).to.equal(404)
      expect((await press(world.app, link)).status).to.equal(404)
    })

    it('an address added again has to be verified again', async () => {
      const first = await world.newVerified('grace@example.com')
      await remove(first.id)
      const second = await added('grace@example.com')
      expect(second.id).to.not.equal(first.id)
      expect((await get(second.id)).body.data.isVerified).to.equal(false)
    })
  })

  describe('the verification mail', () => {
    it('when sent again, has a new link, and the old link is invalid', async () => {
      const { id } = await added('grace@example.com')
      const first = await world.linkTo('grace@example.com')
      const { status, body } = await resend(id)
      expect([status, body]).to.deep.equal([200, { message: 'A verification email is on its way to grace@example.com.' }])
      const second = await world.linkTo('grace@example.com')
      expect(second).to.not.equal(first)
      expect((await press(world.app, first)).status).to.equal(404)
      expect((await get(id)).body.data.isVerified).to.equal(false)
      expect((await press(world.app, second)).status).to.equal(200)
      expect((await get(id)).body.data.isVerified).to.equal(true)
    })

    it('when sent again, has a link that is valid for 24 hours from then', async () => {
      const { id } = await added('grace@example.com')
      await world.app.advance({ hours: 23 })
      await resend(id)
      const link = await world.linkTo('grace@example.com')
      await world.app.advance({ hours: 23, minutes: 59 })
      expect((await press(world.app, link)).status).to.equal(200)
    })

    it('is not sent again once the address is verified', async () => {
      const { id } = await world.newVerified()
      expect(await resend(id)).to.deep.include({
        status: 409, body: { error: 'The forwarding address is verified already.', code: 'ALREADY_VERIFIED' },
      })
      await world.app.settled()
      expect(world.receiver.mails).to.deep.equal([])
    })

    it('is sent again at most once a minute, and the refusal has Retry-After', async () => {
      const { id } = await added('grace@example.com')
      expect((await resend(id)).status).to.equal(200)
      for (const wait of [60, 59]) {
        const { status, headers, body } = await resend(id)
        expect([status, headers.get('retry-after'), body]).to.deep.equal([429, String(wait), {
          error: `grace@example.com is sent a verification email again at most once in a minute. Try again in ${wait} seconds.`, code: 'RATE_LIMITED',
        }])
        await world.app.advance({ seconds: 1 })
      }
      await world.app.advance({ seconds: 57 })
      expect((await resend(id)).headers.get('retry-after')).to.equal('1')
      await world.app.advance({ seconds: 1 })
      expect((await resend(id)).status).to.equal(200)
    })

    it('is sent again one time for 20 concurrent requests', async () => {
      const { id } = await added('grace@example.com')
      const answers = await Promise.all(Array.from({ length: 20 }, () => resend(id)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array.from({ length: 19 }, () => 429)])
      await world.app.settled()
      expect(world.receiver.mails).to.have.length(2)
      expect((await press(world.app, await world.linkTo('grace@example.com'))).status).to.equal(200)
    })

    it('is sent again at most five times a day', async () => {
      const { id } = await added('grace@example.com')
      for (let sent = 0; sent < 5; sent++) {
        expect((await resend(id)).status).to.equal(200)
        await world.app.advance({ minutes: 1 })
      }
      const refused = await resend(id)
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, String(24 * 3600 - 5 * 60)])
      expect(refused.body.error).to.equal('grace@example.com is sent a verification email again at most 5 times in 24 hours. Try again in 24 hours.')
      await world.app.advance({ hours: 23, minutes: 54, seconds: 59 })
      expect((await resend(id)).headers.get('retry-after')).to.equal('1')
      await world.app.advance({ seconds: 1 })
      expect((await resend(id)).status).to.equal(200)
    })

    it('is sent at most five times a day to an address that was added long ago', async () => {
      const { id } = await added('grace@example.com')
      await world.app.advance({ days: 3 })
      const statuses = []
      for (let sent = 0; sent < 6; sent++) {
        statuses.push((await resend(id)).status)
        await world.app.advance({ minutes: 1 })
      }
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429])
    })

    it('is sent at most six times a day to one address, also when it is deleted and added again, in any case', async () => {
      for (const email of ['grace@example.com', 'Grace@example.com', 'GRACE@EXAMPLE.com']) {
        const { id } = await added(email)
        expect((await resend(id)).status).to.equal(200)
        await world.app.settled() // a mail that waits when its address is deleted is not sent
        await remove(id)
        await world.app.advance({ hours: 1 })
      }
      const { status, headers, body } = await create('grace@example.com')
      expect([status, body.code, headers.get('retry-after')]).to.deep.equal([429, 'RATE_LIMITED', String(21 * 3600)])
      expect((await list()).total).to.equal(0)
      await world.app.settled()
      expect(world.receiver.mails).to.have.length(6)
      expect((await create('other@example.com')).status).to.equal(201)
      await world.app.advance({ hours: 21 })
      expect((await create('grace@example.com')).status).to.equal(201)
    })

    it('is counted for each account separately', async () => {
      const other = await world.app.newKey()
      for (let sent = 0; sent < 6; sent++) await remove((await added('grace@example.com')).id)
      expect((await create('grace@example.com')).status).to.equal(429)
      expect((await create('grace@example.com', other)).status).to.equal(201)
    })
  })

  it('sends the mail again for a request without a body', async () => {
    const { id } = await added('grace@example.com')
    const { status } = await rawRequest(world.app.url, {
      method: 'POST', path: `/api/v1/forwarding-addresses/${id}/resend-verification`, headers: { authorization: `Bearer ${world.app.key}` },
    })
    expect(status).to.equal(200)
  })

  it('answers an unknown id with 404', async () => {
    for (const answer of [await get(nowhere), await remove(nowhere), await resend(nowhere)]) {
      expect(answer).to.deep.include({ status: 404, body: unknown })
    }
  })

  describe('of other accounts', () => {
    it('are answered 404', async () => {
      const { accountId: account } = await ownerOf(world.app)
      const keys = [await world.app.newKey({ account }), await world.app.newKey({ account, isTest: true }), await world.app.newKey()]
      const owned = []
      for (const key of keys) owned.push({ key, ...await added('grace@example.com', key) })
      for (const { key, id } of owned) {
        const page = await list('', key)
        expect([page.total, page.addresses.map((address: { id: string }) => address.id)]).to.deep.equal([1, [id]])
        for (const other of owned.filter((other) => other.id !== id)) {
          for (const answer of [await get(other.id, key), await remove(other.id, key), await resend(other.id, key)]) {
            expect(answer).to.deep.include({ status: 404, body: unknown })
          }
        }
      }
      for (const { key, id } of owned) expect((await get(id, key)).status).to.equal(200)
    })

    it('a link verifies one address, also in test mode, where the mail is captured', async () => {
      const { accountId: account } = await ownerOf(world.app)
      const [live, test] = [await world.app.newKey({ account }), await world.app.newKey({ account, isTest: true })]
      const tested = await added('grace@example.com', test)
      const link = await world.linkTo('grace@example.com')
      expect(world.receiver.mails).to.deep.equal([])
      const lived = await added('grace@example.com', live)
      expect((await press(world.app, link)).status).to.equal(200)
      expect((await get(tested.id, test)).body.data.isVerified).to.equal(true)
      expect((await get(lived.id, live)).body.data.isVerified).to.equal(false)
    })
  })
})
