import { expect } from 'chai'
import { delivery, hello } from '../smtp/mailbox.ts'
import { playSession } from '../support/play-session.ts'
import type { RawAnswer } from '../support/raw-request.ts'
import { answersOfMinute } from './answers-of-minute.ts'
import { hasMaxLength, hasMaxLifetime, hasPages, many, send } from './limit.ts'
import type { Row } from './rows.ts'
import type { SpecTable } from './table.ts'
import { expectRefused, openSpecWorld } from './world.ts'
import type { SpecWorld } from './world.ts'

const days = (n: number) => n * 24 * 3600

interface World extends SpecWorld {
  /** The answers to one account's requests in one minute, with the default rate limit. */
  answers: RawAnswer[]
  now: number
}

export const limits: SpecTable<Row<'limit'>, World> = {
  open: async () => ({ ...await openSpecWorld(), ...await answersOfMinute() }),
  proofs: {
    'Requests per minute, Business plan: 100': ({ answers }) => {
      expect(answers.map(({ status }) => status === 429)).to.deep.equal([...Array<boolean>(100).fill(false), true])
    },

    'Page size, addresses: default 20, max 100': (world) =>
      hasPages(world, '/addresses', 20, () => many(() => world.app.newAddress())),
    'Page size, forwarding addresses: default 20, max 100': (world) =>
      hasPages(world, '/forwarding-addresses', 20, () => many(() => world.newForwarding())),
    'Page size, emails: default 50, max 100': (world) => hasPages(world, '/emails', 50, async () => {
      const { address } = await world.app.newAddress()
      await playSession(world.app.smtp, [hello, ...Array.from({ length: 101 }, () => delivery(address)).flat()])
      await world.app.settled()
    }),
    'Page size, audit logs: default 20, max 100': (world) =>
      hasPages(world, '/audit-logs', 20, () => many(() => world.app.api('GET', '/analytics'))),

    async 'Address TTL: min 60 seconds'(world) {
      const { createdAt, expiresAt } = (await world.post('/addresses', { expiresIn: 60 })).body.data
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(60_000)
      expectRefused(await world.post('/addresses', { expiresIn: 59 }), 'body.expiresIn')
    },
    'Address TTL, Free: default 24 hours, max 24 hours': (world) => hasMaxLifetime(world, 'free', days(1)),
    'Address TTL, Pro: default 7 days, max 7 days': (world) => hasMaxLifetime(world, 'pro', days(7)),
    async 'Address TTL, Business: default 30 days, max 30 days'(world) {
      await hasMaxLifetime(world, 'business', days(30))
      const lifetime = ({ createdAt, expiresAt }: Record<string, string>) => Date.parse(expiresAt!) - Date.parse(createdAt!)
      for (const input of [{}, { expiresIn: days(30) }]) {
        expect(lifetime((await world.post('/addresses', input)).body.data)).to.equal(days(30) * 1000)
      }
      expectRefused(await world.post('/addresses', { expiresIn: days(30) + 1 }), 'body.expiresIn')
    },

    'Address alias: max 100 characters': (world) =>
      hasMaxLength(100, 'body.alias', (text) => world.post('/addresses', { alias: text })),
    'Email subject (send): max 200 characters': (world) =>
      hasMaxLength(200, 'body.subject', (text) => send(world, { subject: text })),
    'Email body (send): max 50,000 characters': (world) =>
      hasMaxLength(50_000, 'body.body', (text) => send(world, { body: text })),
    async 'Domain name: max 255 characters'(world) {
      const add = (length: number) => world.post('/domains', { domain: `${'x'.repeat(63)}.`.repeat(4).slice(0, length - 4).concat('.com') })
      expect((await add(253)).status).to.equal(201)
      // the limit of DNS: 255 bytes on the wire are 253 characters
      for (const length of [254, 255, 256]) {
        const refused = await add(length)
        expectRefused(refused, 'body.domain')
        expect(refused.body.details[0].message).to.equal('must NOT have more than 253 characters')
      }
    },
    async 'Forwarding filters: max 255 characters each'(world) {
      const { id } = await world.app.newAddress()
      await world.app.api('PATCH', `/addresses/${id}/forwarding`, { body: { forwardToId: (await world.newVerified()).id } })
      for (const name of ['filterSender', 'filterSubject']) {
        await hasMaxLength(255, `body.${name}`, (text) => world.app.api('PATCH', `/addresses/${id}/forwarding`, { body: { [name]: text } }))
      }
    },
    async 'Events per webhook: max 10'(world) {
      const named = ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']
      const create = (events: string[]) => world.post('/webhooks', { url: `${world.endpoint.url}?${world.next()}`, events })
      const { status, body } = await create([...named, ...named])
      expect(status).to.equal(201)
      expect(body.data.events).to.deep.equal(named)
      const changed = await world.app.api('PATCH', `/webhooks/${body.data.id}`, { body: { events: ['email.deleted', 'email.deleted'] } })
      expect(changed.body.data.events).to.deep.equal(['email.deleted'])
      expectRefused(await create([...named, ...named, named[0]!]), 'body.events')
    },

    async 'Webhook delivery attempts: 5, then the webhook is disabled'() {
      await using world = await openSpecWorld()
      const { app, endpoint } = world
      endpoint.answer = () => 500
      await world.newWebhook()
      const isActive = async () => (await app.api('GET', '/webhooks')).body.data[0].isActive as boolean
      await app.newAddress()
      await app.advance({ hours: 2, minutes: 35 })
      expect([endpoint.deliveries.length, await isActive()]).to.deep.equal([4, true])
      await app.advance({ minutes: 1 })
      expect([endpoint.deliveries.length, await isActive()]).to.deep.equal([5, false])
      await app.advance({ days: 1 })
      expect(endpoint.deliveries).to.have.length(5)
    },

    'X-RateLimit-Limit: 100, on every response': ({ answers }) => {
      for (const { headers } of answers) expect(headers['x-ratelimit-limit']).to.equal('100')
    },
    'X-RateLimit-Remaining: requests left in the window, on every response': ({ answers }) => {
      for (const [i, { headers }] of answers.entries()) expect(headers['x-ratelimit-remaining']).to.equal(String(Math.max(0, 99 - i)))
    },
    'X-RateLimit-Reset: numeric reset time, on every response': ({ answers, now }) => {
      for (const { headers } of answers) expect(headers['x-ratelimit-reset']).to.equal(String(now / 1000 + 60))
    },
  },
}
