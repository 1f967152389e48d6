import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { call, newAddress } from '../crash/server.ts'
import { isSigned, openEndpoint } from '../support/endpoint.ts'
import { noDns } from '../support/no-dns.ts'
import { spawnWaitingServer } from './waiting-server.ts'

const rounds = 50
const callers = 4

describe('a server that is killed while it delivers events', () => {
  it(`has delivered every event at least once after ${rounds} kills, repeats with the same ids and bytes`, async function () {
    this.timeout(90_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    await using endpoint = await openEndpoint((_delivery, response) => {
      setTimeout(() => response.writeHead(200).end(), randomInt(10)) // so that many are under way at any moment
      return null
    })
    const variables = {
      MAYFLY_DATABASE: join(folder, 'mayfly.db'),
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_MIN_FREE_BYTES: '0',
      MAYFLY_RATE_LIMIT: '1000000',
      MAYFLY_LOG_LEVEL: 'silent',
      MAYFLY_DNS_SERVERS: await noDns(),
      MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true',
    }
    let next = spawnWaitingServer()
    try {
      let key = ''
      let secret = ''
      for (let round = 0; round < rounds; round++) {
        const server = next
        const { url, key: firstKey } = await server.start(variables)
        next = spawnWaitingServer()
        if (firstKey) {
          key = firstKey
          const body = JSON.stringify({ url: endpoint.url, events: ['address.created'] })
          secret = (await call(url, key, '/webhooks', { method: 'POST', body }) as { data: { secret: string } }).data.secret
        }
        await newAddress(url, key)
        const load = Array.from({ length: callers }, () => createUntilGone(url, key))
        await new Promise((resolve) => setTimeout(resolve, randomInt(100)))
        await Promise.all([server.kill('SIGKILL'), ...load])
      }
      await next.start(variables)
      while (waiting(folder) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
      await next.kill('SIGTERM')

      const events = rowsOf(folder, 'select id from outbox')
      const attempts = new Map(rowsOf(folder, 'select id, event_id from webhook_deliveries').map(({ id, event_id }) => [id, event_id]))
      const received = Map.groupBy(endpoint.deliveries, ({ headers }) => headers['webhook-id'] as string)
      console.log(`      ${events.length} events, ${endpoint.deliveries.length - received.size} deliveries repeated`)
      expect(events.length).to.be.greaterThan(rounds)
      expect(new Set(received.keys())).to.deep.equal(new Set(events.map(({ id }) => id)))
      expect(attempts.size).to.equal(events.length)
      for (const [id, deliveries] of received) {
        expect(new Set(deliveries.map(({ body }) => body)).size).to.equal(1)
        expect(new Set(deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size).to.equal(1)
        for (const delivery of deliveries) {
          expect(delivery.event.id).to.equal(id)
          expect(attempts.get(delivery.headers['x-service-delivery-id'] as string)).to.equal(id)
          expect(isSigned(delivery, secret)).to.equal(true)
        }
      }
    } finally {
      await next.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  })
})

async function createUntilGone(url: string, key: string) {
  try {
    for (;;) await newAddress(url, key)
  } catch {
    // it was killed
  }
}

function rowsOf(folder: string, query: string): Record<string, string>[] {
  const sqlite = new Sqlite(`${folder}/mayfly.db`, { readonly: true })
  try {
    return sqlite.prepare(query).all() as Record<string, string>[]
  } finally {
    sqlite.close()
  }
}

const waiting = (folder: string) => rowsOf(folder, "select id from webhook_deliveries where status = 'pending'").length
