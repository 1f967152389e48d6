import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { oldMails } from '../support/store/old-mails.ts'
import { watchRows } from '../support/store/commits.ts'
import { emitted } from '../support/store/events.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { jobsOf } from '../support/store/jobs.ts'
import { countMailRows, countRows, rowsOf } from '../support/store/rows.ts'
import { addPlannedDeliveries } from '../support/store/webhooks.ts'

const noMail = { messages: 0, message_chunks: 0, attachments: 0, emails: 0 }

const sweepJobs = async (app: TestApp) => (await jobsOf(app, 'sweep')).map(({ lane }) => lane).sort()

describe('Retention', () => {
  let app: TestApp
  beforeEach(async () => { app = await openTestApp() })
  afterEach(() => app[Symbol.asyncDispose]())

  describe('mail', () => {
    it('is removed after the retention time, also when the address is active', async () => {
      const { id, address } = await app.newAddress()
      const other = await app.newAddress()
      await app.send({ to: [address, other.address], subject: 'for both' })
      await app.send({ to: address, subject: 'long', text: 'x'.repeat(600_000), attachments: [{ filename: 'a', content: 'a'.repeat(300_000) }] })
      await app.settled()
      await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.org', subject: 'sent', body: 'sent' } })
      await app.settled()
      await app.api('DELETE', `/emails/${(await app.listEmails({ address_id: id, type: 'received' }))[0]!.id}`)
      await app.advance({ days: 6 })
      await app.send({ to: address, subject: 'later' })
      await app.settled()
      const events = await emitted(app)

      await app.advance({ hours: 23, minutes: 59, seconds: 59 })
      expect((await app.api('GET', '/emails')).body.total).to.equal(4)
      await app.advance({ seconds: 1 })
      expect((await app.listEmails()).map(({ subject }) => subject)).to.deep.equal(['later'])
      expect((await app.api('GET', `/addresses/${id}`)).body.data).to.include({ isActive: true, emailCount: 1, unreadCount: 1 })
      expect((await app.api('GET', `/addresses/${other.id}`)).body.data).to.include({ isActive: true, emailCount: 0, unreadCount: 0 })
      for (const query of ['?is_deleted=true', '?type=sent', `?address_id=${other.id}`, `?address_id=${id}&is_deleted=true`]) {
        expect((await app.api('GET', `/emails${query}`)).body, query).to.deep.include({ data: [], total: 0, hasMore: false })
      }
      expect(await countMailRows(app)).to.include({ messages: 1, emails: 1, message_chunks: 0, attachments: 0 })
      expect([await countRows(app, 'deliveries'), await countRows(app, 'authentications'), await countRows(app, 'shared_messages')]).to.deep.equal([0, 1, 0])
      expect((await emitted(app)).filter(({ event }) => event === 'email.deleted')).to.have.length(1)
      expect((await emitted(app)).at(-1)).to.deep.equal(events.at(-1))
      await app.advance({ days: 6 })
      expect(await countMailRows(app)).to.deep.include(noMail)
      expect((await app.api('GET', '/analytics')).body).to.include({ totalEmailsReceived: 4, totalEmailsSent: 1 })
    })

    it('of an expired address is removed with the address', async () => {
      const { id, address } = await app.newAddress({ expiresIn: 8 * 86_400 })
      await app.send({ to: address, subject: 'old' })
      await app.advance({ days: 3 })
      await app.send({ to: address, subject: 'young' })
      await app.advance({ days: 6 })
      expect((await app.listEmails({ address_id: id })).map(({ subject }) => subject)).to.deep.equal(['young'])
      await app.advance({ days: 5, hours: 23 })
      expect((await app.listEmails({ address_id: id })).map(({ subject }) => subject)).to.deep.equal(['young'])
      await app.advance({ hours: 1 })
      expect(await countMailRows(app)).to.deep.equal({ ...noMail, addresses: 0 })
    })

    it('is kept for MAYFLY_RETENTION_SECONDS, and while it is being delivered', async () => {
      await using app = await openTestApp({ env: { MAYFLY_RETENTION_SECONDS: '3600', MAYFLY_OUTBOUND: 'smtp://127.0.0.1:1' } })
      const { id, address } = await app.newAddress()
      await app.send({ to: address, subject: 'received' })
      const sent = (await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.org', subject: 'sent', body: 'sent' } })).body.data.id
      await app.advance({ minutes: 59, seconds: 59 })
      expect((await app.listEmails()).map(({ subject }) => subject)).to.have.members(['received', 'sent'])
      await app.advance({ seconds: 1 })
      expect((await app.listEmails()).map(({ subject }) => subject)).to.deep.equal(['sent'])
      await app.advance({ days: 4 })
      expect((await app.api('GET', `/emails/${sent}`)).body.data).to.include({ status: 'deferred' })
      await app.advance({ days: 2 })
      expect(await countMailRows(app)).to.deep.equal({ ...noMail, addresses: 1 })
      expect(await countRows(app, 'deliveries')).to.equal(0)
    })

    it('of a deleted address is invisible at once, and removed in small steps', async () => {
      const { id } = await app.newAddress()
      await app.newAddress({ alias: 'other' })
      const ids = await oldMails(app, id, { count: 3000, at: app.app.clock.now() })
      const { steps } = watchRows(app, 'emails')
      expect((await app.api('GET', '/emails')).body.total).to.equal(3000)

      expect((await app.api('DELETE', `/addresses/${id}`)).status).to.equal(200)
      for (const query of ['', '?is_deleted=true', `?address_id=${id}`, `?after=${ids[0]!.replace(/^..../, '0000')}`, '?q=p', '?type=received']) {
        expect((await app.api('GET', `/emails${query}`)).body, query).to.deep.include({ data: [], total: 0, hasMore: false })
      }
      for (const [method, path] of [['GET', ''], ['GET', '/raw'], ['PATCH', ''], ['DELETE', '']]) {
        const body = method === 'PATCH' ? { isRead: true } : undefined
        expect((await app.api(method!, `/emails/${ids[0]!}${path}`, { body })).status, `${method} ${path}`).to.equal(404)
      }
      expect((await app.api('GET', '/addresses')).body.data.total).to.equal(1)
      await app.settled()
      expect(await countMailRows(app)).to.deep.equal({ ...noMail, addresses: 1 })
      expect([await countRows(app, 'removed_mailboxes'), await countRows(app, 'discarded_messages')]).to.deep.equal([0, 0])
      expect(Math.min(...steps)).to.equal(-200)
    })
  })

  describe('other rows', () => {
    it('events are removed after seven days, except the last one', async () => {
      const { id } = await app.newAddress()
      await app.newAddress()
      await app.advance({ days: 5 })
      await app.api('DELETE', `/addresses/${id}`)
      await app.advance({ days: 3 })
      expect((await emitted(app)).map(({ event }) => event)).to.deep.equal(['address.deleted'])
      await app.advance({ days: 8 })
      expect((await emitted(app)).map(({ event }) => event)).to.deep.equal(['address.deleted'])
      await app.newAddress()
      await app.advance({ days: 1 })
      expect((await emitted(app)).map(({ event }) => event)).to.deep.equal(['address.created'])
    })

    it('verification mails are removed seven days after they were sent', async () => {
      await app.api('POST', '/forwarding-addresses', { body: { email: 'ada@example.org' } })
      await app.advance({ days: 6 })
      await app.api('POST', '/forwarding-addresses', { body: { email: 'grace@example.org' } })
      await app.settled()
      expect([await countRows(app, 'deliveries'), (await countMailRows(app)).messages]).to.deep.equal([2, 2])
      await app.advance({ days: 2 })
      expect([await countRows(app, 'deliveries'), (await countMailRows(app)).messages]).to.deep.equal([1, 1])
    })

    it('webhook deliveries are removed seven days after they were planned, unless they are pending', async () => {
      const now = app.app.clock.now()
      await addPlannedDeliveries(app, (['pending', 'succeeded', 'failed'] as const).flatMap((status) => [
        { id: `${status} old`, status, createdAt: now },
        { id: `${status} young`, status, createdAt: now + 2 * 86_400_000 },
      ]))
      await app.advance({ days: 8 })
      expect((await rowsOf(app, 'webhook_deliveries')).map(({ id }) => id)).to.deep.equal(['failed young', 'pending old', 'pending young', 'succeeded young'])
    })

    it('names of removed addresses are free again after 30 days', async () => {
      const { id } = await app.newAddress({ alias: 'rests' })
      await app.newAddress({ alias: 'lives' })
      await app.api('DELETE', `/addresses/${id}`)
      await app.advance({ days: 29 })
      expect(await countRows(app, 'address_names')).to.equal(2)
      await app.api('POST', '/addresses', { body: { alias: 'lives-on' } })
      await app.advance({ days: 2 })
      expect((await rowsOf(app, 'address_names')).map(({ address }) => address).sort()).to.deep.equal(['lives-on@mail.localhost', 'lives@mail.localhost'])
    })

    it('have one job per kind, also after restarts and with other settings', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-sweeps-'))
      try {
        const database = await newDatabase(join(folder, 'mayfly.db'))
        {
          await using first = await openTestApp({ database })
          const { id } = await first.newAddress()
          await oldMails(first, id, { count: 3, at: first.app.clock.now() })
          await first.advance({ days: 1 })
          expect(await sweepJobs(first)).to.deep.equal(['emails', 'rows'])
        }
        await using second = await openTestApp({ database, env: { MAYFLY_RETENTION_SECONDS: '3600' }, clock: testClock(Date.UTC(2026, 2, 15, 10)) })
        await second.settled()
        expect(await sweepJobs(second)).to.deep.equal(['emails', 'rows'])
        expect(await countMailRows(second)).to.include({ emails: 0, messages: 0 })
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  it('repeats a step that fails', async () => {
    const { id } = await app.newAddress()
    await oldMails(app, id, { count: 10, at: app.app.clock.now() })
    const allow = await refuseChanges(app, 'delete', 'emails')
    await app.advance({ days: 7, seconds: 1 })
    expect((await app.api('GET', '/emails')).body.total).to.equal(10)
    expect(await sweepJobs(app)).to.deep.equal(['emails', 'rows'])
    await allow()
    await app.advance({ minutes: 11 })
    expect((await app.api('GET', '/emails')).body.total).to.equal(0)
  })
})
