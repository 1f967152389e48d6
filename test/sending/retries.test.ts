import { expect } from 'chai'
import { nextAttempts, retryDeferred } from '../support/store/outgoing.ts'
import { sendEmail, shareSendingWorld } from './world.ts'
import type { SendingWorld } from './world.ts'

describe('Sending: retries of an email whose recipient', () => {
  const newWorld = shareSendingWorld()
  let world: SendingWorld

  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  it('answers 451: it is tried again, and then accepted', async () => {
    const { app, receiver, from } = world
    receiver.replies.rcpt = () => ({ code: 451, text: '4.7.1 Greylisted' })
    const email = await sendEmail(app, from.id)
    await app.settled()
    const deferred = await email.read()
    expect(deferred).to.include({ status: 'deferred', sentAt: null })
    expect(deferred.failureReason).to.contain('451 4.7.1 Greylisted')
    receiver.replies.rcpt = undefined
    await app.advance({ seconds: 14 })
    expect(receiver.mails).to.have.length(0)
    await app.advance({ seconds: 1 })
    expect(receiver.mails).to.have.length(1)
    expect(receiver.mails[0]!.sourceText).to.contain(`Message-ID: <${email.id}@mail.localhost>`)
    expect(await email.read()).to.include({ status: 'sent', sentAt: '2026-03-14T09:00:15.000Z', failureReason: null })
    await app.advance({ days: 6 })
    expect(receiver.mails).to.have.length(1)
  })

  it('answers 451: it is due at once when the server starts again', async () => {
    const { app, receiver, from } = world
    const { clock } = app.app
    receiver.replies.rcpt = () => ({ code: 451, text: '4.7.1 Greylisted' })
    await sendEmail(app, from.id)
    await app.settled()
    expect(await nextAttempts(app)).to.deep.equal(['2026-03-14T09:00:15.000Z'])
    await retryDeferred(app)
    expect(await nextAttempts(app)).to.deep.equal([new Date(clock.now()).toISOString()])
  })

  it('answers 550: it fails permanently', async () => {
    const { app, receiver, from } = world
    receiver.replies.rcpt = () => ({ code: 550, text: '5.1.1 No such user' })
    const email = await sendEmail(app, from.id)
    await app.settled()
    receiver.replies.rcpt = undefined
    await app.advance({ days: 6 })
    expect(receiver.mails).to.have.length(0)
    const failed = await email.read()
    expect(failed).to.include({ status: 'failed', sentAt: null })
    expect(failed.failureReason).to.contain('mx.example.org said: 550 5.1.1 No such user')
  })

  it('always answers 4xx: it fails after five days, with growing delays', async () => {
    const { app, receiver, from } = world
    const times: number[] = []
    receiver.replies.rcpt = () => {
      times.push(app.app.clock.now())
      return { code: 450, text: 'Busy' }
    }
    const email = await sendEmail(app, from.id)
    await app.settled()
    await app.advance({ days: 7 })
    const pauses = times.slice(1).map((time, i) => (time - times[i]!) / 60_000)
    expect(pauses).to.deep.equal([0.25, 1, 5, 15, 30, 60, 120, 240, ...Array.from({ length: 14 }, () => 480)])
    expect((times.at(-1)! - times[0]!) / 86_400_000).to.be.within(4.5, 5)
    const failed = await email.read()
    expect(failed.status).to.equal('failed')
    expect(failed.failureReason).to.match(/^Given up after 5 days\. .*450 Busy/)
  })

  it('has no mail server: it fails; it is tried again when the name servers fail', async () => {
    const { app, dns, receiver, from } = world
    dns.zone['null.example'] = { MX: [{ exchange: '', priority: 0 }] }
    dns.zone['broken.example'] = 'SERVFAIL'
    const unknown = await sendEmail(app, from.id, { to: 'a@unknown.example' })
    const refusing = await sendEmail(app, from.id, { to: 'a@null.example' })
    const broken = await sendEmail(app, from.id, { to: 'a@broken.example' })
    await app.settled()
    expect(await unknown.read()).to.include({ status: 'failed' })
    expect(await refusing.read()).to.include({ status: 'failed' })
    expect(await broken.read()).to.include({ status: 'deferred' })
    dns.zone['broken.example'] = { A: ['127.0.0.1'] }
    await app.advance({ days: 1 })
    expect(await broken.read()).to.include({ status: 'sent' })
    expect(receiver.mails.map(({ recipient }) => recipient)).to.deep.equal(['a@broken.example'])
  })

  it('has several mail servers: the next is tried when the first is down', async () => {
    const { app, dns, receiver, from } = world
    dns.zone['two.example'] = { MX: [{ exchange: 'down.example', priority: 1 }, { exchange: 'mx.example.org', priority: 2 }] }
    dns.zone['down.example'] = { A: ['127.0.0.9'] }
    const email = await sendEmail(app, from.id, { to: 'a@two.example' })
    await app.settled()
    expect(receiver.mails).to.have.length(1)
    expect(await email.read()).to.include({ status: 'sent' })
  })
})
