import { expect } from 'chai'
import type { WebhookEvent } from '../../server/contract/types.gen.ts'
import { verifyDelivery } from '../support/endpoint.ts'
import { openWebhooksWorld } from '../webhooks/world.ts'
import type { WebhooksWorld } from '../webhooks/world.ts'
import { rows } from './rows.ts'
import type { Row } from './rows.ts'
import { eachRow } from './table.ts'
import type { SpecTable } from './table.ts'

/** A webhook for all events, after each event has occurred for one address. */
interface EventsWorld extends WebhooksWorld {
  secret: string
  /** The expected data of each event, and the second since the start at which it occurred. */
  expected: Record<WebhookEvent, { at: number, data: Record<string, unknown> }>
  start: number
}

export const events: SpecTable<Row<'event'>, EventsWorld> = {
  async open() {
    const world = await openWebhooksWorld()
    const { app } = world
    const { secret } = await world.subscribe()
    const start = world.now()
    const { id: addressId, address } = await app.newAddress({ alias: 'shop', expiresIn: 60 })
    await app.send({ to: 'shop@mail.localhost', subject: 'Grüße 😀', text: 'Hello' })
    const { id: emailId } = await app.onlyEmail(addressId)
    await app.advance({ seconds: 10 })
    await app.api('DELETE', `/emails/${emailId}`)
    await app.advance({ seconds: 50 })
    await app.advance({ seconds: 10 })
    await app.api('DELETE', `/addresses/${addressId}`)
    await app.settled()
    const time = (seconds: number) => new Date(start + seconds * 1000).toISOString()
    const ofAddress = { addressId, address, expiresAt: time(60) }
    return {
      ...world, secret, start,
      expected: {
        'address.created': { at: 0, data: ofAddress },
        'email.received': { at: 0, data: { emailId, addressId, from: 'shop@example.org', subject: 'Grüße 😀', receivedAt: time(0) } },
        'email.deleted': { at: 10, data: { emailId, addressId } },
        'address.expired': { at: 60, data: ofAddress },
        'address.deleted': { at: 70, data: ofAddress },
      },
    }
  },
  proofs: eachRow(rows.event, (name) => ({ endpoint, secret, expected, start }) => {
    const { at, data } = expected[name]
    const deliveries = endpoint.deliveries.filter(({ event }) => event.type === name)
    expect(deliveries).to.have.length(1)
    verifyDelivery(deliveries[0]!, secret, start + at * 1000)
    expect(deliveries[0]!.event).to.include({ event: name, timestamp: start + at * 1000 }).and.deep.include({ data })
  }),
}

/** A webhook whose endpoint always fails, after all attempts for one event. */
interface AttemptsWorld extends WebhooksWorld {
  /** The time of each attempt, in ms since 1970. */
  times: number[]
}

const delays: Record<Row<'attempt'>, number> = {
  'attempt 1: immediate': 0,
  'attempt 2: 1 minute': 60,
  'attempt 3: 5 minutes': 300,
  'attempt 4: 30 minutes': 1800,
  'attempt 5: 2 hours': 7200,
}

export const attempts: SpecTable<Row<'attempt'>, AttemptsWorld> = {
  async open() {
    const world = await openWebhooksWorld()
    const times = [world.now()]
    world.endpoint.answer = () => {
      times.push(world.now())
      return 500
    }
    await world.subscribe({ events: ['address.created'] })
    await world.app.newAddress()
    await world.app.advance({ days: 1 })
    return { ...world, times }
  },
  proofs: eachRow(rows.attempt, (row) => ({ times }) => {
    const number = rows.attempt.indexOf(row) + 1
    expect((times[number]! - times[number - 1]!) / 1000).to.equal(delays[row])
  }),
}
