import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { createAccount } from '../support/store/accounts.ts'
import { setAddressTotals } from '../support/store/addresses.ts'
import { rowsOf } from '../support/store/rows.ts'

const none = {
  totalAddresses: 0, activeAddresses: 0, totalEmailsReceived: 0, totalEmailsSent: 0, thisMonthReceived: 0, thisMonthSent: 0,
}

describe('Analytics: counters of an account', () => {
  let app: TestApp
  afterEach(() => app[Symbol.asyncDispose]())

  const counters = async (key = app.key) => (await app.api('GET', '/analytics', { key })).body
  const send = (fromAddressId: string, key = app.key) =>
    app.api('POST', '/emails', { key, body: { fromAddressId, to: 'ada@example.org', subject: 'Hello', body: 'Hello' } })

  describe('on any day', () => {
    const newAccount = shareTestApp()
    beforeEach(async () => { app = await newAccount() })

    it('begin at zero', async () => {
      const answer = await app.api('GET', '/analytics')
      expect([answer.status, answer.body]).to.deep.equal([200, none])
      const days = (await app.api('GET', '/analytics/daily')).body.data
      expect(days).to.have.length(30)
      expect([days[0], days.at(-1)]).to.deep.equal([{ day: '2026-02-13', received: 0, sent: 0 }, { day: '2026-03-14', received: 0, sent: 0 }])
    })

    it('follow every change; deletion does not reduce the totals of received and sent mail', async () => {
      const [a, b] = [await app.newAddress({ expiresIn: 60 }), await app.newAddress()]
      await app.send({ to: [a.address, b.address], subject: 'for both' })
      await app.send({ to: b.address, subject: 'long', text: 'x'.repeat(600_000) })
      expect((await send(b.id)).status).to.equal(202)
      expect((await send('019c0000-0000-7000-8000-000000000000')).status).to.equal(404)
      await app.settled()
      const mail = { totalEmailsReceived: 3, totalEmailsSent: 1, thisMonthReceived: 3, thisMonthSent: 1 }
      expect(await counters()).to.deep.equal({ totalAddresses: 2, activeAddresses: 2, ...mail })

      const [newest] = await app.listEmails()
      await app.api('DELETE', `/emails/${newest!.id}`)
      await app.advance({ minutes: 1 })
      expect(await counters()).to.deep.equal({ totalAddresses: 2, activeAddresses: 1, ...mail })
      await app.api('DELETE', `/addresses/${b.id}`)
      expect(await counters()).to.deep.equal({ totalAddresses: 1, activeAddresses: 0, ...mail })
      await app.advance({ days: 8 })
      expect(await counters()).to.deep.equal({ totalAddresses: 0, activeAddresses: 0, ...mail })
      expect((await app.api('GET', '/analytics/daily?days=9')).body.data[0]).to.deep.equal({ day: '2026-03-14', received: 3, sent: 1 })
    })

    it('are separate for accounts and modes', async () => {
      const { id: account } = await createAccount(app, 'both@example.org')
      const [live, test] = [await app.newKey({ account }), await app.newKey({ account, isTest: true })]
      const { id, address } = (await app.api('POST', '/addresses', { key: test, body: {} })).body.data
      await app.send({ to: address, subject: 'a test' })
      await send(id, test)
      await app.settled()
      expect(await counters(test)).to.deep.equal({
        totalAddresses: 1, activeAddresses: 1, totalEmailsReceived: 1, totalEmailsSent: 1, thisMonthReceived: 1, thisMonthSent: 1,
      })
      for (const key of [live, app.key]) {
        expect(await counters(key)).to.deep.equal(none)
        expect((await app.api('GET', '/analytics/daily?days=1', { key })).body.data).to.deep.equal([{ day: '2026-03-14', received: 0, sent: 0 }])
      }
    })

    it('accept 1 to 366 days', async () => {
      for (const days of [1, 366]) expect((await app.api('GET', `/analytics/daily?days=${days}`)).body.data).to.have.length(days)
      for (const days of ['0', '367', '-1', '1.5', 'x']) expect((await app.api('GET', `/analytics/daily?days=${days}`)).status).to.equal(400)
      expect((await app.api('GET', '/analytics', { key: await app.newKey({ scopes: ['emails:read'] }) })).status).to.equal(403)
    })

    it('are read from stored totals, not counted', async () => {
      await setAddressTotals(app, { total: 5, active: 4 })
      expect(await counters()).to.deep.equal({ ...none, totalAddresses: 5, activeAddresses: 4 })
    })
  })

  it('count an address as expired before it is marked', async () => {
    const clock = testClock()
    let now = clock.now()
    // a clock that runs no timer
    app = await openTestApp({ clock: { now: () => now, at: () => () => {} } })
    await app.newAddress({ expiresIn: 60 })
    await app.newAddress({ expiresIn: 120 })
    now += 59_999
    expect(await counters()).to.include({ totalAddresses: 2, activeAddresses: 2 })
    now += 1
    expect(await counters()).to.include({ totalAddresses: 2, activeAddresses: 1 })
    expect((await rowsOf(app, 'addresses')).map(({ isExpired }) => isExpired)).to.deep.equal([0, 0])
  })

  it('start a month at midnight UTC', async () => {
    app = await openTestApp({ clock: testClock(Date.UTC(2026, 1, 28, 23, 59, 59, 999)) })
    const { id, address } = await app.newAddress()
    const come = async (subject: string) => {
      await app.send({ to: address, subject })
      await send(id)
      await app.settled()
    }
    await come('in February')
    expect(await counters()).to.include({ thisMonthReceived: 1, thisMonthSent: 1 })
    await app.advance({ seconds: 0.001 })
    expect(await counters()).to.include({ totalEmailsReceived: 1, totalEmailsSent: 1, thisMonthReceived: 0, thisMonthSent: 0 })
    await come('in March')
    expect(await counters()).to.include({ totalEmailsReceived: 2, totalEmailsSent: 2, thisMonthReceived: 1, thisMonthSent: 1 })
    expect((await app.api('GET', '/analytics/daily?days=3')).body.data).to.deep.equal([
      { day: '2026-02-27', received: 0, sent: 0 }, { day: '2026-02-28', received: 1, sent: 1 }, { day: '2026-03-01', received: 1, sent: 1 },
    ])
    await app.advance({ days: 31 })
    expect(await counters()).to.include({ totalEmailsReceived: 2, thisMonthReceived: 0, thisMonthSent: 0 })
  })
})
