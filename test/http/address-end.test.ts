import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { playSession } from '../support/play-session.ts'
import { emitted, forgetEvents } from '../support/store/events.ts'
import { countMailRows } from '../support/store/rows.ts'
import { delivery, hello } from '../smtp/mailbox.ts'

const nothing = { messages: 0, message_chunks: 0, attachments: 0, emails: 0, addresses: 0 }

const offer = (app: TestApp, address: string, code: number) => playSession(app.smtp, [
  ['EHLO client.example.org', 250], ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, code],
])

describe('Addresses: expiry and deletion', () => {
  let app: TestApp
  const newAccount = shareTestApp()
  beforeEach(async () => {
    app = await newAccount()
    await forgetEvents(app)
  })
  afterEach(async () => {
    const { addresses } = (await app.api('GET', '/addresses?limit=100')).body.data
    for (const { id } of addresses as { id: string }[]) await app.api('DELETE', `/addresses/${id}`)
  })

  describe('expiry', () => {
    it('Address, active: time reaches expiresAt → expired, on the second, without a request, with one event', async () => {
      const { id, address } = await app.newAddress({ alias: 'brief', expiresIn: 60 })
      await app.send({ to: address, subject: 'kept' })
      await app.advance({ seconds: 59 })
      await offer(app, address, 250)
      expect(await emitted(app, 'address.expired')).to.deep.equal([])

      await app.advance({ seconds: 1 })
      const told = [{
        event: 'address.expired', mode: 'live', at: '2026-03-14T09:01:00.000Z',
        data: { addressId: id, address, expiresAt: '2026-03-14T09:01:00.000Z' },
      }]
      expect(await emitted(app, 'address.expired')).to.deep.equal(told)
      const replies = await offer(app, address, 550)
      expect(replies[2]).to.equal('550 5.1.1 No such address here')
      await offer(app, address.replace('@', '+tag@'), 550)
      expect((await app.api('GET', `/addresses/${id}`)).body.data).to.include({
        id, isActive: false, expiresAt: '2026-03-14T09:01:00.000Z', emailCount: 1,
      })
      expect((await app.onlyEmail(id)).subject).to.equal('kept')
      await app.advance({ days: 1 })
      expect(await emitted(app, 'address.expired')).to.deep.equal(told)
    })

    it('works the same in test mode', async () => {
      const key = await app.newKey({ isTest: true })
      const { id } = (await app.api('POST', '/addresses', { key, body: { expiresIn: 60 } })).body.data
      await app.advance({ minutes: 1 })
      const [event] = await emitted(app, 'address.expired')
      expect(event).to.deep.include({ mode: 'test' }).and.have.nested.property('data.addressId', id)
      await app.api('DELETE', `/addresses/${id}`, { key })
    })

    it('keeps a mail that was accepted just before', async () => {
      const { id, address } = await app.newAddress({ expiresIn: 60 })
      await app.send({ to: address, subject: 'just in time' })
      await app.advance({ minutes: 1 })
      expect((await app.onlyEmail(id)).subject).to.equal('just in time')
    })

    it('is followed by the removal of the address and its mail after the retention time', async () => {
      const { id, address } = await app.newAddress({ expiresIn: 60 })
      await app.send({ to: address, subject: 'long', text: 'x'.repeat(600_000), attachments: [{ filename: 'a', content: 'a'.repeat(300_000) }] })
      await app.send({ to: address, subject: 'short' })
      await app.advance({ seconds: 59 })
      expect(await countMailRows(app)).to.deep.include({ messages: 2, attachments: 1, emails: 2, addresses: 1 })
      await app.advance({ days: 7 })
      expect((await app.api('GET', `/addresses/${id}`)).body.data.emailCount).to.equal(2)
      await app.advance({ seconds: 1 })
      expect(await countMailRows(app)).to.deep.equal(nothing)
      expect((await app.api('GET', `/addresses/${id}`)).status).to.equal(404)
      expect((await app.api('GET', '/emails')).body).to.include({ total: 0 })
      expect((await app.api('GET', '/emails?is_deleted=true')).body).to.include({ total: 0 })
      expect((await emitted(app)).map(({ event }) => event)).to.have.members([
        'address.created', 'email.received', 'email.received', 'address.expired',
      ])
    })

    it('keeps the mail for MAYFLY_RETENTION_SECONDS', async () => {
      await using app = await openTestApp({ env: { MAYFLY_RETENTION_SECONDS: '3600' } })
      const { address } = await app.newAddress({ expiresIn: 60 })
      await app.send({ to: address, subject: 'kept for an hour' })
      await app.advance({ hours: 1, seconds: 59 })
      expect(await countMailRows(app)).to.include({ emails: 1, addresses: 1 })
      await app.advance({ seconds: 1 })
      expect(await countMailRows(app)).to.deep.equal(nothing)
    })

    it('handles addresses that expire at the same time', async () => {
      await Promise.all(Array.from({ length: 60 }, () => app.newAddress({ expiresIn: 60 })))
      await app.advance({ minutes: 1 })
      const expired = await emitted(app, 'address.expired')
      expect(new Set(expired.map(({ data }) => (data as { addressId: string }).addressId)).size).to.equal(60)
      expect(expired).to.have.length(60)
      await app.advance({ days: 7 })
      expect(await countMailRows(app)).to.deep.equal(nothing)
    })

    it('is handled at the next start when the server was down at that time', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-down-'))
      try {
        const database = await newDatabase(join(folder, 'mayfly.db'))
        let address = ''
        {
          await using before = await openTestApp({ database })
          ;({ address } = await before.newAddress({ expiresIn: 60 }))
          await before.send({ to: address, subject: 'kept' })
          await before.settled()
        }
        await using after = await openTestApp({ database, clock: testClock(Date.UTC(2026, 2, 14, 12)) })
        await offer(after, address, 550)
        await after.settled()
        const expired = await emitted(after, 'address.expired')
        expect(expired.map(({ data }) => (data as { expiresAt: string }).expiresAt)).to.deep.equal(['2026-03-14T09:01:00.000Z'])
        await after.advance({ days: 7 })
        expect(await countMailRows(after)).to.deep.equal(nothing)
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  describe('Address, active or expired: DELETE address → removed', () => {
    it('removes all its mail, emits one event, and both are answered 404 from then on', async () => {
      const { id, address } = await app.newAddress({ alias: 'unwanted' })
      await app.send({ to: address, subject: 'gone', text: 'x'.repeat(600_000), attachments: [{ filename: 'a', content: 'a'.repeat(300_000) }] })
      await app.send({ to: address, subject: 'deleted before' })
      await app.settled()
      const [deleted, email] = await app.listEmails()
      await app.api('DELETE', `/emails/${deleted!.id}`)
      const [attachment] = (await app.api('GET', `/emails/${email!.id}`)).body.data.attachments

      const answer = await app.api('DELETE', `/addresses/${id}`)
      expect(answer.status).to.equal(200)
      expect(answer.body).to.deep.equal({ message: 'The address and all its emails are deleted.', data: { id, deleted: true } })
      for (const path of [
        `/addresses/${id}`, `/emails/${email!.id}`, `/emails/${email!.id}/raw`, `/emails/${email!.id}/attachments/${attachment.id}`,
        `/emails/${deleted!.id}`,
      ]) {
        expect((await app.api('GET', path)).status, path).to.equal(404)
      }
      for (const query of ['', '?is_deleted=true', `?address_id=${id}`, `?address_id=${id}&is_deleted=true`]) {
        expect((await app.api('GET', `/emails${query}`)).body, query).to.deep.include({ data: [], total: 0, hasMore: false })
      }
      expect((await app.api('GET', '/addresses')).body.data).to.deep.include({ addresses: [], total: 0 })
      await offer(app, address, 550)
      expect((await app.api('DELETE', `/addresses/${id}`)).body).to.deep.equal({ error: 'There is no address with this id.', code: 'NOT_FOUND' })

      await app.settled()
      expect(await countMailRows(app)).to.deep.equal(nothing)
      expect(await emitted(app, 'address.deleted')).to.deep.equal([{
        event: 'address.deleted', mode: 'live', at: '2026-03-14T09:00:00.000Z',
        data: { addressId: id, address: 'unwanted@mail.localhost', expiresAt: '2026-04-13T09:00:00.000Z' },
      }])
      await app.advance({ days: 40 })
      expect(await emitted(app, 'address.expired')).to.deep.equal([])
    })

    it('keeps the mail of other addresses, also a mail to both', async () => {
      const [mine, other] = [await app.newAddress({ alias: 'mine' }), await app.newAddress({ alias: 'other' })]
      await app.send({ to: [mine.address, other.address], subject: 'for both' })
      await app.send({ to: other.address, subject: 'for the other' })
      await app.send({ to: mine.address, subject: 'for me' })
      await app.settled()
      await app.api('DELETE', `/addresses/${mine.id}`)
      await app.settled()
      expect((await app.listEmails()).map(({ subject }) => subject)).to.deep.equal(['for the other', 'for both'])
      expect((await app.api('GET', '/emails')).body.total).to.equal(2)
      expect(await countMailRows(app)).to.include({ messages: 2, emails: 2, addresses: 1 })
      await app.api('DELETE', `/addresses/${other.id}`)
      await app.settled()
      expect(await countMailRows(app)).to.deep.equal(nothing)
    })

    it('empties a large mailbox', async () => {
      const { id, address } = await app.newAddress()
      await playSession(app.smtp, [hello, ...Array.from({ length: 120 }, () => delivery(address)).flat()])
      await app.settled()
      expect(await countMailRows(app)).to.include({ messages: 120, emails: 120 })
      await app.api('DELETE', `/addresses/${id}`)
      await app.settled()
      expect(await countMailRows(app)).to.deep.equal(nothing)
    })

    it('emits one event for concurrent requests', async () => {
      const { id } = await app.newAddress()
      const answers = await Promise.all(Array.from({ length: 10 }, () => app.api('DELETE', `/addresses/${id}`)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array<number>(9).fill(404)])
      expect(await emitted(app, 'address.deleted')).to.have.length(1)
    })

    it('works also after the address has expired', async () => {
      const { id } = await app.newAddress({ expiresIn: 60 })
      await app.advance({ minutes: 1 })
      expect((await app.api('DELETE', `/addresses/${id}`)).status).to.equal(200)
      expect((await emitted(app)).map(({ event }) => event)).to.deep.equal(['address.created', 'address.expired', 'address.deleted'])
      await app.advance({ days: 7 })
      expect(await countMailRows(app)).to.deep.equal(nothing)
    })
  })
})
