import { expect } from 'chai'
import { Mayfly, TimeoutError } from '@mayfly-mail/sdk'
import type { Email } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK waitFor: on the server, with mail over SMTP', () => {
  let app: TestApp
  let sdk: Mayfly
  let stranger: Mayfly

  before(async () => {
    app = await openTestApp()
  })
  after(() => app?.[Symbol.asyncDispose]())
  beforeEach(() => {
    sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    stranger = new Mayfly({ apiKey: app.key, baseUrl: app.url })
  })

  /** Delivers mails a second apart. */
  async function deliver(to: string, ...subjects: string[]) {
    for (const subject of subjects) {
      await app.advance({ seconds: 1 })
      await app.send({ to, subject, text: 'Your code is 482913.' })
      await app.settled()
    }
  }

  it('returns earlier mail at once, at an address of the client', async () => {
    const { id, address } = await sdk.addresses.create()
    await deliver(address, 'Welcome', 'Later')
    const email = await sdk.emails.waitFor({ addressId: id })
    expect(email).to.include({ addressId: id, to: address, subject: 'Welcome', from: 'shop@example.org' })
    expect(email.codes).to.deep.equal(['482913'])
  })

  it('returns a long mail that became visible only after a later one was listed', async () => {
    const { id, address } = await sdk.addresses.create()
    await app.send({ to: address, subject: 'long', text: 'word '.repeat(400_000) })
    await app.send({ to: address, subject: 'short', text: 'short' })
    const { data } = await sdk.emails.list({ addressId: id })
    await app.settled()
    if (data.length === 1) expect((await sdk.emails.waitFor({ addressId: id })).subject).to.equal('long')
    else expect(data.map(({ subject }) => subject)).to.have.members(['long', 'short'])
  })

  it('matches an expression with the whole subject and name, also in a backlog, whose list truncates them', async () => {
    const { id, address } = await sdk.addresses.create()
    const subject = `${'long '.repeat(300)}482913`
    await deliver(address, 'first', subject)
    await app.send({ from: `"${'n'.repeat(400)} Shop" <shop@example.org>`, to: address, subject: 'named' })
    await app.settled()
    const [, listed] = (await stranger.emails.list({ addressId: id })).data
    expect(listed!.subject).to.match(/^[long ]+…$/)
    const after = new Date(0)
    expect((await sdk.emails.waitFor({ addressId: id, after, subject: /\d{6}$/ })).subject).to.equal(subject)
    expect((await sdk.emails.waitFor({ addressId: id, after, from: /Shop$/, subject: /named/ })).subject).to.equal('named')
    expect(await rejectionOf(sdk.emails.waitFor({ addressId: id, after, subject: /…$/, timeoutMs: 1 }))).to.be.instanceOf(TimeoutError)
  })

  it('returns mail that arrives during the wait, at an address of the client or of another', async () => {
    const { id, address } = await sdk.addresses.create()
    const waits = [sdk, stranger].map((client) => client.emails.waitFor({ addressId: id }))
    await app.send({ to: address, subject: 'Your code', text: 'Your code is 482913.' })
    for (const { subject, codes } of await Promise.all(waits)) {
      expect(subject).to.equal('Your code')
      expect(codes).to.deep.equal(['482913'])
    }
  })

  it('never returns earlier mail at an address of another client', async () => {
    const { id, address } = await sdk.addresses.create()
    await deliver(address, 'Old')
    await app.advance({ minutes: 1 })
    const armed = stranger.emails.waitFor({ addressId: id })
    await deliver(address, 'New')
    expect((await armed).subject).to.equal('New')
    await app.advance({ minutes: 1 })
    const error = await rejectionOf(stranger.emails.waitFor({ addressId: id, timeoutMs: 200 }))
    expect(error).to.be.instanceOf(TimeoutError)
    expect(error.message).to.include('No other mail arrived')
  })

  it('returns one mail after another', async () => {
    const { id, address } = await sdk.addresses.create()
    await deliver(address, 'One', 'Two', 'Three')
    const subjects = []
    for (let i = 0; i < 3; i++) subjects.push((await sdk.emails.waitFor({ addressId: id })).subject)
    expect(subjects).to.deep.equal(['One', 'Two', 'Three'])
    await deliver(address, 'Four')
    await sdk.emails.list({ addressId: id })
    const armed = sdk.emails.waitFor({ addressId: id })
    await deliver(address, 'Five')
    expect((await armed).subject).to.equal('Five')
  })

  it('begins after an email, an id, a cursor or a time', async () => {
    const { id, address } = await sdk.addresses.create()
    const { cursor: before } = await sdk.emails.list({ addressId: id })
    await deliver(address, 'One', 'Two', 'Three')
    const { data: [third, second, first], cursor } = await sdk.emails.list({ addressId: id })
    const after = async (moment: NonNullable<Parameters<typeof sdk.emails.waitFor>[0]>['after']) =>
      (await stranger.emails.waitFor({ addressId: id, after: moment })).subject
    expect(await after(before)).to.equal('One')
    expect(await after(first!.id)).to.equal('Two')
    expect(await after(second)).to.equal('Three')
    expect(await after(await sdk.emails.get(first!.id))).to.equal('Two')
    expect(await after(second!.receivedAt)).to.equal('Two')
    expect(await after(new Date(second!.receivedAt.getTime() + 1))).to.equal('Three')
    expect(await after(third!.receivedAt)).to.equal('Three')
    const armed = after(cursor)
    await deliver(address, 'Four')
    expect(await armed).to.equal('Four')
  })

  it('returns mail again with `after`', async () => {
    const { id, address } = await sdk.addresses.create()
    const { cursor } = await sdk.emails.list({ addressId: id })
    await deliver(address, 'One')
    const first = await sdk.emails.waitFor({ addressId: id })
    expect((await sdk.emails.waitFor({ addressId: id, after: cursor })).id).to.equal(first.id)
  })

  it('waits at every address of the account when none is given', async () => {
    const armed = sdk.emails.waitFor({ subject: 'anywhere' })
    const { id, address } = await stranger.addresses.create()
    await deliver(address, 'Anywhere at all')
    expect((await armed).addressId).to.equal(id)
  })

  describe('filters', () => {
    let id: string
    let fromBoth: Email[]

    before(async () => {
      const maker = new Mayfly({ apiKey: app.key, baseUrl: app.url })
      const address = await maker.addresses.create()
      id = address.id
      await app.send({ to: address.address, from: 'Ada Lovelace <ada@engine.example>', subject: 'Your code', text: 'Ada' })
      await app.settled()
      await app.send({ to: address.address, from: 'grace@navy.example', subject: 'Confirm (1) [x]', text: 'Grace' })
      await app.settled()
      const first = await maker.emails.waitFor({ addressId: id })
      fromBoth = [first, await maker.emails.waitFor({ addressId: id })]
    })

    const filters: [string, { from?: string | RegExp, subject?: string | RegExp }, number | undefined][] = [
      ['text in the address', { from: 'ENGINE.example' }, 0],
      ['text in the display name', { from: 'lovelace' }, 0],
      ['an expression for the address', { from: /^grace@/ }, 1],
      ['an expression for the display name', { from: /^Ada L/ }, 0],
      ['an expression in another case', { from: /^ada l/ }, undefined],
      ['an expression with a memory', { from: /example$/g }, 0],
      ['text in the subject', { subject: 'CODE' }, 0],
      ['text in the subject that is no expression', { subject: '(1) [X]' }, 1],
      ['an expression for the subject', { subject: /\[x]$/ }, 1],
      ['both', { from: 'navy', subject: /confirm/i }, 1],
      ['both, of which one fails', { from: 'navy', subject: 'code' }, undefined],
    ]
    for (const [name, filter, index] of filters) {
      it(name, async () => {
        const found = sdk.emails.waitFor({ addressId: id, after: new Date(0), timeoutMs: 60, ...filter })
        if (index === undefined) return expect(await rejectionOf(found)).to.be.instanceOf(TimeoutError)
        expect((await found).id).to.equal(fromBoth[index]!.id)
      })
    }
  })
})
