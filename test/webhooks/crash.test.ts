import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { call, newAddress, startServer } from '../crash/server.ts'
import { isSigned, openEndpoint } from '../support/endpoint.ts'

const rounds = 50
const callers = 4

describe('a server that is killed while it delivers events', () => {
  it(`has delivered every event at least once after ${rounds} kills, repeats with the same ids and bytes`, async function () {
    this.timeout(120_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    await using endpoint = await openEndpoint((_delivery, response) => {
      setTimeout(() => response.writeHead(200).end(), randomInt(10)) // so that many are under way at any moment
      return null
    })
    const start = () => startServer(folder, { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', MAYFLY_LOG_LEVEL: 'silent' })
    try {
      let key = ''
      let secret = ''
      for (let round = 0; round < rounds; round++) {
        const server = await start()
        if (!key) {
          key = server.key
          const body = JSON.stringify({ url: endpoint.url, events: ['address.created'] })
          secret = (await call(server.url, key, '/webhooks', { method: 'POST', body }) as { data: { secret: string } }).data.secret
        }
        const load = Array.from({ length: callers }, () => createUntilGone(server.url, key))
        await new Promise((resolve) => setTimeout(resolve, randomInt(20, 120)))
        server.child.kill('SIGKILL')
        await Promise.all([server.exited, ...load])
      }
      const last = await start()
      while (waiting(folder) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
      last.child.kill('SIGTERM')
      await last.exited

      const events = rowsOf(folder, 'select id from outbox')
      const attempts = new Map(rowsOf(folder, 'select id, event_id from webhook_deliveries').map(({ id, event_id }) => [id, event_id]))
      const received = Map.groupBy(endpoint.deliveries, ({ headers }) => headers['webhook-id'] as string)
      console.log(`      ${events.length} events, ${endpoint.deliveries.length - received.size} of them repeated`)
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
