import { expect } from 'chai'
import { openTestApp, type TestApp, type TestOptions } from '../support/app.ts'
import { openDomainsWorld } from '../support/domains.ts'
import { playSession, type Step } from '../support/play-session.ts'
import { createAccount } from '../support/store/accounts.ts'
import { expireAddress } from '../support/store/addresses.ts'
import { emitted } from '../support/store/events.ts'
import { delivery, hello } from './mailbox.ts'

const from: Step = ['MAIL FROM:<shop@example.org>', 250]

/** The key of the owner account, which `serve` makes on an empty database. */
async function ownerKey(app: TestApp, defaultDomain = 'mail.localhost') {
  const { id } = await createAccount(app, `owner@${defaultDomain}`)
  return app.newKey({ account: id })
}

async function addresses({ api }: TestApp, key: string) {
  const { body } = await api('GET', '/addresses?limit=100', { key })
  return body.data.addresses as { id: string, address: string, isActive: boolean, emailCount: number, expiresAt: string }[]
}

describe('SMTP recipients: postmaster', () => {
  let app: TestApp
  let owner: string
  async function openApp(options: TestOptions = {}) {
    app = await openTestApp(options)
    owner = await ownerKey(app)
  }
  afterEach(() => app[Symbol.asyncDispose]())

  it('is accepted in any case, with and without a domain, and its mail belongs to the owner account', async () => {
    await openApp()
    const spellings = ['postmaster', 'Postmaster', 'POSTMASTER', 'postmaster@mail.localhost', 'PostMaster@Mail.Localhost', 'postmaster+dmarc@mail.localhost']
    await playSession(app.smtp, [hello, ...spellings.flatMap((spelling) => delivery(spelling))])
    await app.settled()
    const [issued, ...others] = await addresses(app, owner)
    expect(others).to.deep.equal([])
    expect(issued).to.include({ address: 'postmaster@mail.localhost', isActive: true, emailCount: 6 })
    const emails = (await app.api('GET', `/emails?address_id=${issued!.id}`, { key: owner })).body.data
    expect(emails.map(({ to }: { to: string }) => to).reverse()).to.deep.equal([
      ...Array<string>(5).fill('postmaster@mail.localhost'), 'postmaster+dmarc@mail.localhost',
    ])
    expect(await addresses(app, app.key)).to.deep.equal([])
  })

  it('is received beside abuse, which belongs to the owner account too (RFC 2142)', async () => {
    await openApp()
    await playSession(app.smtp, [hello, ...['abuse@mail.localhost', 'Abuse+spam@Mail.Localhost', '"abuse"@mail.localhost'].flatMap((spelling) => delivery(spelling))])
    await playSession(app.smtp, [hello, from, ['RCPT TO:<ab.use@mail.localhost>', 550], ['RCPT TO:<admin@mail.localhost>', 550], ['RCPT TO:<security@mail.localhost>', 550]])
    await app.settled()
    expect((await addresses(app, owner)).map(({ address, emailCount }) => [address, emailCount])).to.deep.equal([['abuse@mail.localhost', 3]])
  })

  it('is issued once for concurrent sessions', async () => {
    await openApp()
    await Promise.all(Array.from({ length: 30 }, () => playSession(app.smtp, [hello, ...delivery('postmaster')])))
    await app.settled()
    expect((await addresses(app, owner)).map(({ emailCount }) => emailCount)).to.deep.equal([30])
  })

  it('is an address like any other: it expires, and is issued again with the next mail', async () => {
    await openApp()
    await playSession(app.smtp, [hello, ...delivery('postmaster')])
    const [first] = await addresses(app, owner)
    expect(first!.expiresAt).to.equal('2026-04-13T09:00:00.000Z')
    await app.advance({ days: 30, seconds: 1 })
    await playSession(app.smtp, [hello, ...delivery('postmaster')])
    const active = (await addresses(app, owner)).filter(({ isActive }) => isActive)
    expect(active.map(({ address }) => address)).to.deep.equal(['postmaster@mail.localhost'])
    expect(active[0]!.id).to.not.equal(first!.id)
  })

  it('is issued again after its deletion', async () => {
    await openApp()
    await playSession(app.smtp, [hello, ...delivery('postmaster')])
    await app.api('DELETE', `/addresses/${(await addresses(app, owner))[0]!.id}`, { key: owner })
    await playSession(app.smtp, [hello, ...delivery('postmaster')])
    await app.settled()
    expect(await addresses(app, owner)).to.have.length(1)
  })

  it('emits an event for the owner', async () => {
    await openApp()
    await playSession(app.smtp, [hello, from, ['RCPT TO:<postmaster>', 250]])
    expect((await emitted(app, 'address.created')).map(({ data }) => (data as { address: string }).address)).to.deep.equal(['postmaster@mail.localhost'])
  })

  it('has the limits of its account', async () => {
    await openApp({ env: { MAYFLY_MAX_ACCOUNT_BYTES: '1000' } })
    await playSession(app.smtp, [hello, ...delivery('postmaster', 'x'.repeat(900).concat('\r\n'))])
    const replies = await playSession(app.smtp, [hello, ['MAIL FROM:<a@example.org> SIZE=200', 250], ['RCPT TO:<postmaster>', 452]])
    expect(replies[2]).to.equal('452 4.2.2 The mailbox is full, try again later')
  })

  it('cannot be chosen as an alias at the default domain', async () => {
    await openApp()
    for (const key of [app.key, owner]) {
      expect((await app.api('POST', '/addresses', { key, body: { alias: 'Postmaster' } })).status).to.equal(409)
    }
  })

  it('is unknown on a database without an owner account', async () => {
    app = await openTestApp()
    const replies = await playSession(app.smtp, [hello, from, ['RCPT TO:<postmaster>', 550], ['RCPT TO:<postmaster@mail.localhost>', 550]])
    expect(new Set(replies.slice(2))).to.deep.equal(new Set(['550 5.1.1 No such address here']))
    await ownerKey(app)
    await playSession(app.smtp, [hello, from, ['RCPT TO:<postmaster>', 250]])
  })

  it('is answered 450 while the name is bound to an address that has just expired', async () => {
    await openApp()
    await playSession(app.smtp, [hello, ...delivery('postmaster')])
    await app.settled()
    const [issued] = await addresses(app, owner)
    await expireAddress(app, issued!.id)
    const replies = await playSession(app.smtp, [hello, from, ['RCPT TO:<postmaster>', 450]])
    expect(replies[2]).to.equal('450 4.2.1 The mailbox is not ready, try again later')
  })
})

describe('SMTP recipients: postmaster of a custom domain', () => {
  it('is accepted for the account that holds the domain, once it is verified', async () => {
    await using world = await openDomainsWorld()
    const { app } = world
    const holder = await app.newKey()
    await world.add('pending.example', holder)
    await world.hold('held.example', holder)
    await world.offer('postmaster@pending.example', 550)
    await world.offer('postmaster@elsewhere.example', 550)
    await world.offer('abuse@pending.example', 550)
    await world.offer('postmaster@sub.held.example', 550)
    await playSession(app.smtp, [hello, ...delivery('Postmaster@Held.Example'), ...delivery('abuse@held.example')])
    await app.settled()
    expect((await addresses(app, holder)).map(({ address, emailCount }) => [address, emailCount]))
      .to.have.deep.members([['postmaster@held.example', 1], ['abuse@held.example', 1]])
    const owner = await ownerKey(app, 'in.mayfly.example')
    await playSession(app.smtp, [hello, ...delivery('postmaster')])
    expect((await addresses(app, owner)).map(({ address }) => address)).to.deep.equal(['postmaster@in.mayfly.example'])
  })

  it('is delivered to an existing address with this name in the account', async () => {
    await using world = await openDomainsWorld()
    await world.hold('held.example')
    const { body } = await world.app.api('POST', '/addresses', { body: { alias: 'postmaster', domain: 'held.example' } })
    await playSession(world.app.smtp, [hello, ...delivery('postmaster@held.example')])
    await world.app.settled()
    expect((await addresses(world.app, world.app.key)).map(({ id, emailCount }) => [id, emailCount])).to.deep.equal([[body.data.id, 1]])
  })
})
