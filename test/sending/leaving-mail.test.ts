import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { openForwardingWorld, press } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { join } from '../support/members.ts'
import { sameOrigin, signIn, useToken } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { addToMailCounts } from '../support/store/outgoing.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'
import { allOperations, exampleRequest } from '../contract/requests.ts'
import { rawRequest } from '../support/raw-request.ts'

type Api = TestSession['api']

const open = (env: Record<string, string> = {}) => openForwardingWorld({ env: { MAYFLY_SIGN_UP: 'open', ...env } })

/** Sends a mail from a new address. */
async function send(api: Api, to: string) {
  const { data } = (await api('POST', '/addresses', { body: {} })).body
  return api('POST', '/emails', { body: { fromAddressId: data.id, to, subject: 'Hello', body: 'Hello.' } })
}

const sendMany = async (api: Api, recipients: string[]) => {
  const statuses = []
  for (const to of recipients) statuses.push((await send(api, to)).status)
  return statuses
}

const addMany = async (api: Api, emails: string[]) => {
  const statuses = []
  for (const email of emails) statuses.push((await api('POST', '/forwarding-addresses', { body: { email } })).status)
  return statuses
}

const numbered = (count: number, write: (i: number) => string) => Array.from({ length: count }, (_, i) => write(i))
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** Signs up by the link that the receiver gets. */
async function signUp(world: ForwardingWorld, email: string): Promise<Api> {
  await world.app.api('POST', '/sign-in-links', { key: null, body: { email } })
  await world.app.settled()
  const mail = world.receiver.mails.findLast(({ recipient }) => recipient === email)!
  const answer = await useToken(world.app, /\/sign-in#([\w-]{43})/.exec(mail.sourceText)![1]!)
  const [cookie] = answer.headers.get('set-cookie')!.split(';')
  world.receiver.reset()
  return (method, path, options = {}) =>
    world.app.api(method, path, { ...options, key: null, headers: { cookie: cookie!, ...sameOrigin, ...options.headers } })
}

describe('Mail that leaves the server', () => {
  describe('of a free account that signed itself up', () => {
    it('is refused by plan, except to addresses of this server', async () => {
      await using world = await open()
      const api = await signUp(world, 'stranger@example.net')
      const refused = await send(api, 'ada@example.com')
      expect([refused.status, refused.body]).to.deep.equal([403, {
        error: 'Mail to other servers is part of the Pro and Business plans; this account has the free plan.', code: 'PLAN_REQUIRED',
      }])
      const { address } = await world.app.newAddress()
      expect((await send(api, address)).status).to.equal(202)
      await world.app.settled()
      expect([world.receiver.mails.length, await countRows(world.app, 'emails')]).to.deep.equal([0, 2])
      const operators = await signIn(world.app, { plan: 'free' })
      expect((await send(operators.api, 'ada@example.com')).status).to.equal(202)
    })

    it('is captured where nothing leaves', async () => {
      await using world = await open({ MAYFLY_OUTBOUND: 'capture', MAYFLY_MAX_DAILY_MAILS: '1' })
      const { api } = await signIn(world.app, { plan: 'free' })
      expect(await sendMany(api, numbered(3, (i) => `ada@${i}.example`))).to.deep.equal(times(3, 202))
      expect(await countRows(world.app, 'mail_counts')).to.equal(0)
    })

    it('has a fifth of its limit in its first day and half in its first week, where MAYFLY_FREE_SENDING is true', async () => {
      await using world = await open({ MAYFLY_FREE_SENDING: 'true' })
      const api = await signUp(world, 'stranger@example.net')
      const recipients = (count: number, day: number) => numbered(count, (i) => `ada@${day}-${i}.example`)
      expect(await sendMany(api, recipients(11, 1))).to.deep.equal([...times(10, 202), 429])
      const refused = await send(api, 'ada@example.com')
      expect([refused.headers.get('retry-after'), refused.body]).to.deep.equal(['86400', {
        error: 'This account may cause 10 mails to other servers in 24 hours. Try again in 24 hours.', code: 'RATE_LIMITED',
      }])
      await world.app.advance({ hours: 23, minutes: 59 })
      expect((await send(api, 'ada@example.com')).headers.get('retry-after')).to.equal('60')
      await world.app.advance({ minutes: 1 })
      expect(await sendMany(api, recipients(26, 2))).to.deep.equal([...times(25, 202), 429])
      await world.app.advance({ days: 6 })
      expect(await sendMany(api, recipients(51, 8))).to.deep.equal([...times(50, 202), 429])
    })

    it('counts each recipient of a copy, and refuses a mail as a whole', async () => {
      await using world = await open({ MAYFLY_MAX_DAILY_MAILS: '5' })
      const { api } = await signIn(world.app)
      const { data } = (await api('POST', '/addresses', { body: {} })).body
      const copied = async (count: number) => (await api('POST', '/emails', {
        body: { fromAddressId: data.id, to: 'ada@example.com', cc: numbered(count, (i) => `c${i}@example.org`), subject: 'Hello', body: 'Hello.' },
      })).status
      expect([await copied(2), await copied(2), await copied(1), await copied(0)]).to.deep.equal([202, 429, 202, 429])
      await world.app.settled()
      expect(await countRows(world.app, 'emails')).to.equal(2)
      expect(await countRows(world.app, 'deliveries')).to.equal(5)
    })

    it('is the tenth part of the mail of the server, together with the mail of all free accounts', async () => {
      await using world = await open({ MAYFLY_FREE_SENDING: 'true', MAYFLY_MAX_DAILY_MAILS: '20' })
      const one = await signUp(world, 'one@example.net')
      const other = await signUp(world, 'other@example.net')
      expect([...await sendMany(one, ['ada@example.com']), ...await sendMany(other, ['bob@example.com', 'cay@example.com'])])
        .to.deep.equal([202, 202, 429])
      const { api } = await signIn(world.app)
      expect(await sendMany(api, numbered(19, (i) => `ada@${i}.example`))).to.deep.equal([...times(18, 202), 429])
      expect((await send(api, 'ada@example.com')).body.error)
        .to.equal('This server sends at most 20 mails in 24 hours. Try again in 24 hours.')
      await world.app.advance({ days: 1 })
      expect((await send(api, 'ada@example.com')).status).to.equal(202)
    })
  })

  describe('to a recipient', () => {
    it('is limited over all accounts, in any case and with any tag', async () => {
      await using world = await open()
      const victims = ['victim@example.com', 'Victim+1@example.com', 'VICTIM+2@example.com', 'victim+3+4@EXAMPLE.com']
      const statuses = []
      for (let account = 0; account < 3; account++) {
        const { api } = await signIn(world.app, { plan: 'free' })
        statuses.push(...await addMany(api, victims))
      }
      expect(statuses).to.deep.equal([...times(10, 201), ...times(2, 429)])
      const { api } = await signIn(world.app, { plan: 'free' })
      expect((await api('POST', '/forwarding-addresses', { body: { email: 'victim+9@example.com' } })).body.error)
        .to.equal('victim@example.com gets at most 10 verification emails in 24 hours from all accounts of the free plan. Try again in 24 hours.')
      expect(await addMany(api, ['victims@example.com'])).to.deep.equal([201])
      await world.app.settled()
      expect(world.receiver.mails).to.have.length(11)
      await world.app.advance({ days: 1 })
      expect(await addMany(api, ['victim+9@example.com'])).to.deep.equal([201])
    })

    it('is limited for sent mail too', async () => {
      await using world = await open()
      const statuses = []
      for (let account = 0; account < 2; account++) {
        const { api } = await signIn(world.app, { plan: 'free' })
        statuses.push(...await sendMany(api, numbered(6, (i) => `Victim+${account}-${i}@example.com`)))
      }
      expect(statuses).to.deep.equal([...times(10, 202), ...times(2, 429)])
      expect(await sendMany((await signIn(world.app)).api, ['victim@example.com'])).to.deep.equal([202])
    })
  })

  it('to a recipient is limited over all spellings of its name and its domain', async () => {
    await using world = await open()
    const spellings = ['ada@bücher.example', 'Ada@BÜCHER.example', '"ada"@xn--bcher-kva.example', 'ADA+1@XN--BCHER-KVA.example', 'Ada <ada@bücher.example>', '"a\\da"@bücher.example']
    const statuses = []
    for (let account = 0; account < 2; account++) statuses.push(...await sendMany((await signIn(world.app, { plan: 'free' })).api, spellings))
    expect(statuses).to.deep.equal([...times(10, 202), ...times(2, 429)])
    const { api } = await signIn(world.app, { plan: 'free' })
    const others = ['ada＠bücher.example', 'ada@bücher。example', 'ada@bu\u0308cher.example', 'ada@ｂücher.example', 'ada@bücher.example.', 'ａda@bücher.example']
    expect(await sendMany(api, others)).to.deep.equal(times(others.length, 400))
  })

  it('to the two domains of Gmail is limited together', async () => {
    await using world = await open()
    const newApi = async () => (await signIn(world.app, { plan: 'free' })).api
    expect(await addMany(await newApi(), ['a@gmail.com'])).to.deep.equal([201])
    await addToMailCounts(world.app, 98)
    expect(await addMany(await newApi(), ['b@googlemail.com', 'c@GoogleMail.com'])).to.deep.equal([201, 429])
  })

  it('to a domain and its subdomains is limited over all accounts', async () => {
    await using world = await open()
    const newApi = async () => (await signIn(world.app, { plan: 'free' })).api
    expect(await addMany(await newApi(), ['a@company.example'])).to.deep.equal([201])
    await addToMailCounts(world.app, 98)
    expect(await addMany(await newApi(), ['b@mail.company.example', 'c@company.example'])).to.deep.equal([201, 429])
    expect(await addMany(await newApi(), ['c@www.company.example', 'c@other.example'])).to.deep.equal([429, 201])
  })

  it('with sign-in links is five an hour to a mailbox, and the answer does not tell that no mail is sent', async () => {
    await using world = await open()
    const request = (email: string) => world.app.api('POST', '/sign-in-links', { key: null, body: { email } })
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await request(i % 2 ? `Victim+${i}@example.com` : 'victim@example.com'))
    await world.app.settled()
    expect(world.receiver.mails).to.have.length(5)
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).to.equal(1)
    await world.app.advance({ hours: 1 })
    await request('victim+9@example.com')
    await world.app.settled()
    expect(world.receiver.mails).to.have.length(6)
    const { email } = await signIn(world.app, { plan: 'free' })
    for (let i = 0; i < 6; i++) await request(email.replace('@', `+${i}@`)) // a tag makes an address without an account
    await world.app.settled()
    expect(world.receiver.mails).to.have.length(6 + 5)
    for (let i = 0; i < 6; i++) await request(email) // which strangers have not used up
    await world.app.settled()
    expect(world.receiver.mails).to.have.length(6 + 5 + 5)
    const ofGmail = ['ada.lovelace', 'adalovelace', 'a.dalovelace', 'Ada.Lovelace+1', 'a.d.a.lovelace', 'adalovelac.e', 'ad.alovelace'] // Gmail ignores dots
    for (const local of ofGmail) await request(`${local}@${local.startsWith('ad') ? 'gmail' : 'googlemail'}.com`)
    await world.app.settled()
    expect(world.receiver.mails).to.have.length(6 + 5 + 5 + 5)
  })

  for (const signUp of ['open', 'closed']) {
    it(`with sign-in links is five an hour to a mailbox of which strangers have invited many tags, where MAYFLY_SIGN_UP is ${signUp}`, async () => {
      await using world = await open({ MAYFLY_SIGN_UP: signUp })
      const stranger = await signIn(world.app)
      const tags = numbered(8, (i) => `victim+${i}@example.com`)
      for (const email of tags) await join(world.app, stranger, { email }) // by the link that the stranger sees
      await world.app.settled()
      world.receiver.reset()
      const request = async (email: string) => {
        await world.app.api('POST', '/sign-in-links', { key: null, body: { email } })
        await world.app.settled()
        return world.receiver.mails.length
      }
      const counts = []
      for (const email of tags) counts.push(await request(email))
      expect(counts).to.deep.equal([1, 2, 3, 4, 5, 5, 5, 5])
      await useToken(world.app, /\/sign-in#([\w-]{43})/.exec(world.receiver.mails[0]!.sourceText)![1]!) // by the owner of the mailbox
      counts.length = 0
      for (let i = 0; i < 6; i++) counts.push(await request(tags[0]!)) // which strangers have not used up
      expect(counts).to.deep.equal([6, 7, 8, 9, 10, 10])
    })
  }

  it('by a forward waits with its reason, while the received mail is there, and leaves when the limit ends', async () => {
    await using world = await open({ MAYFLY_MAX_DAILY_MAILS: '2' })
    const { app, receiver } = world
    const { id } = await world.newVerified('ada@example.com') // the first mail
    const { api } = await signIn(app)
    expect(await sendMany(api, ['bob@example.com'])).to.deep.equal([202])
    await app.settled()
    receiver.reset()
    const address = await app.newAddress()
    await app.api('PATCH', `/addresses/${address.id}/forwarding`, { body: { forwardToId: id } })
    await app.send({ to: address.address, subject: 'for Ada', text: 'text' })
    const email = await app.onlyEmail(address.id)
    expect(email.forwarding).to.include({ status: 'deferred', failureReason: 'This server sends at most 2 mails in 24 hours.' })
    expect(receiver.mails).to.have.length(0)
    await app.advance({ days: 2 })
    expect(receiver.mails).to.have.length(1)
    expect((await app.onlyEmail(address.id)).forwarding).to.include({ status: 'sent' })
  })

  it('is not counted with test keys, to addresses of this server, and again for a retry', async () => {
    await using world = await open()
    const { app, receiver } = world
    const test = await app.newKey({ account: app.account, isTest: true })
    const withKey = (key: string): Api => (method, path, options = {}) => app.api(method, path, { ...options, key })
    const { address } = await app.newAddress()
    expect(await sendMany(withKey(test), ['ada@example.com'])).to.deep.equal([202])
    expect(await sendMany(withKey(app.key), [address])).to.deep.equal([202])
    await app.settled()
    expect(await countRows(app, 'mail_counts')).to.equal(0)
    receiver.replies.rcpt = () => ({ code: 451, text: 'Later' })
    expect(await sendMany(withKey(app.key), ['ada@example.com'])).to.deep.equal([202])
    await app.settled()
    receiver.replies.rcpt = undefined
    await app.advance({ hours: 1 })
    expect(receiver.mails).to.have.length(1)
    expect((await rowsOf(app, 'mail_counts')).map(({ mails }) => mails)).to.deep.equal(times(4, 1))
    await app.advance({ days: 2 })
    expect(await countRows(app, 'mail_counts')).to.equal(0)
  })

  describe('and its causes', () => {
    /** All that causes mail to others. Add a new cause here, and have it ask the ledger. */
    const causes: Record<string, (world: ForwardingWorld) => Promise<unknown>> = {
      'emails.send': ({ app }) => sendMany(app.api, ['ada@example.com']),
      'forwardingAddresses.create': ({ app }) => addMany(app.api, ['bob@example.com', 'cay@example.com']),
      async 'forwardingAddresses.resendVerification'({ app }) {
        const [{ id }] = (await app.api('GET', '/forwarding-addresses')).body.data.addresses
        return app.api('POST', `/forwarding-addresses/${id}/resend-verification`)
      },
      async 'emails.forward'({ app }) {
        const [received] = (await app.api('GET', '/emails?type=received')).body.data
        const { addresses } = (await app.api('GET', '/forwarding-addresses')).body.data
        const forwardToId = addresses.find(({ isVerified }: { isVerified: boolean }) => isVerified).id
        return app.api('POST', `/emails/${received.id}/forward`, { body: { forwardToId } })
      },
      'signInLinks.create': ({ app }) => app.api('POST', '/sign-in-links', { key: null, body: { email: 'dan@example.com' } }),
      async 'a mail that arrives'({ app }) {
        const [address] = (await app.api('GET', '/addresses?limit=100')).body.data.addresses.filter(({ alias }: { alias: string }) => alias === 'forwarded')
        await app.send({ to: address.address, subject: 'for Eve', text: 'text' })
      },
    }

    it('are counted, and send nothing past the limits', async () => {
      await using world = await open()
      const { app, receiver } = world
      const { id } = await world.newVerified('eve@example.com')
      const address = await app.newAddress({ alias: 'forwarded' })
      await app.send({ to: address.address, subject: 'before the rule', text: 'text' })
      await app.settled()
      await app.api('PATCH', `/addresses/${address.id}/forwarding`, { body: { forwardToId: id } })
      for (const [name, cause] of Object.entries(causes)) {
        const before = receiver.mails.length
        await cause(world)
        await app.settled()
        expect(receiver.mails.length, name).to.be.above(before)
      }
      await app.api('DELETE', `/forwarding-addresses/${(await app.api('GET', '/forwarding-addresses')).body.data.addresses[0].id}`)
      await app.advance({ minutes: 2 })
      receiver.reset()
      await addToMailCounts(app, 1_000_000)
      for (const cause of Object.values(causes)) await cause(world)
      await app.settled()
      expect(receiver.mails).to.deep.equal([])
      for (const { status, isCounted } of await rowsOf(app, 'deliveries')) expect(status === 'sent').to.equal(isCounted === 1)
    })

    it('are all operations by which a mail leaves', async () => {
      await using world = await open()
      const { app, receiver } = world
      const { cookie } = await signIn(app)
      const ids: Record<string, string> = { fromAddressId: (await app.newAddress()).id }
      ids['addressId'] = (await app.newAddress()).id
      ids['forwardingAddressId'] = (await app.api('POST', '/forwarding-addresses', { body: { email: 'fay@example.com' } })).body.data.id
      await press(app, await world.linkTo('fay@example.com'))
      await app.settled()
      for (const operation of allOperations.filter(({ operationId }) => operationId !== 'events.stream' && !(operationId in causes))) {
        receiver.reset()
        const headers: Record<string, string> = operation.audience === 'api' ? { authorization: `Bearer ${app.key}` } : { cookie, ...sameOrigin }
        await rawRequest(app.url, exampleRequest(operation, headers, (name) => ids[name] ?? ids['addressId']!))
        await app.settled()
        expect(receiver.mails, operation.operationId).to.deep.equal([])
      }
    })

    it('have no other way out: one task gives mail to the network, and deliveries are stored with a receipt of the ledger', () => {
      const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
        .map((file) => [file, readFileSync(`server/${file}`, 'utf8')] as const)
      const having = (text: string) => sources.filter(([, source]) => source.includes(text)).map(([file]) => file).sort()
      expect(having('outbound/send-mail.ts')).to.deep.equal(['worker/tasks/deliver-mail.ts'])
      expect(having("insertInto('deliveries')")).to.deep.equal(['store/outgoing/mail-deliveries.ts'])
      expect(having('[made]: true }')).to.deep.equal(['store/outgoing/mail-counts.ts'])
    })
  })
})
