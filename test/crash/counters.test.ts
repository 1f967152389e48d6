import { mkdtemp, rm } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { sendRaw } from '../support/send-raw.ts'
import { call, newAddress, startServer } from './server.ts'

/** Queries for a counter and for the number of rows that it counts, which have to be equal. */
const pairs: Record<string, string> = {
  'addresses': 'select (select sum(addresses) from totals), (select count(*) from addresses)',
  'active addresses': 'select (select sum(active_addresses) from totals), (select count(*) from addresses where is_expired = 0 and is_bound = 1)',
  'audit rows': 'select (select sum(audit_logs) from totals), (select count(*) from audit_logs)',
  'received': `select (select sum(ever) from email_counts where owner like '%/live' and type = 'received'), (select count(*) from outbox where event = 'email.received')`,
  'received by day': `select (select sum(received) from daily_counts), (select count(*) from outbox where event = 'email.received')`,
  'sent': `select (select sum(ever) from email_counts where owner like '%/live' and type = 'sent'), (select count(*) from audit_logs where action = 'emails.send' and status = 202)`,
  'sent by day': `select (select sum(sent) from daily_counts), (select count(*) from audit_logs where action = 'emails.send' and status = 202)`,
  'emails of the account': `select (select sum(total) from email_counts where owner like '%/live'), (select count(*) from emails)`,
  'emails of its addresses': `select (select sum(total) from email_counts where owner not like '%/live'), (select count(*) from emails)`,
  'bytes of the account': `select (select sum(bytes) from account_bytes), (select coalesce(sum(size), 0) from emails join messages on messages.id = message_id)`,
  'creations': `select (select count(*) from audit_logs where action = 'addresses.create' and status = 201), (select count(*) from outbox where event = 'address.created')`,
  'deletions': `select (select count(*) from audit_logs where action = 'addresses.delete' and status = 200), (select count(*) from outbox where event = 'address.deleted')`,
}

describe('Crash recovery: counters and audit log', () => {
  it('agree with the rows after each of 5 kills, and the audit log has every change that was answered', async function () {
    this.timeout(120_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-counters-'))
    const answered = new Set<string>()
    let key = ''
    try {
      for (let round = 0; round < 5; round++) {
        const server = await startServer(folder)
        key ||= server.key
        const load = Array.from({ length: 4 }, () => useUntilClosed(server, key, answered))
        await new Promise((resolve) => setTimeout(resolve, randomInt(400, 900)))
        server.child.kill('SIGKILL')
        await Promise.all([server.exited, ...load])
        const sqlite = new Sqlite(join(folder, 'mayfly.db'))
        for (const [name, pair] of Object.entries(pairs)) {
          const [counter, rows] = sqlite.prepare(pair).raw().get() as [number, number]
          expect(counter ?? 0, `${name}, round ${round}`).to.equal(rows)
        }
        const recorded = new Set(sqlite.prepare('select action || resource_id from audit_logs').pluck().all() as string[])
        expect([...answered].filter((change) => !recorded.has(change))).to.deep.equal([])
        sqlite.close()
      }
      expect(answered.size).to.be.greaterThan(20)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

async function useUntilClosed({ url, smtpPort }: { url: string, smtpPort: number }, key: string, answered: Set<string>) {
  try {
    for (let i = 0; ; i++) {
      const { id, address } = await newAddress(url, key)
      answered.add(`addresses.create${id}`)
      await sendRaw(smtpPort, address, 'Subject: one\r\n\r\none\r\n')
      const body = JSON.stringify({ fromAddressId: id, to: address, subject: 'two', body: 'two' })
      const { data } = await call(url, key, '/emails', { method: 'POST', body }) as { data: { id: string } }
      answered.add(`emails.send${data.id}`)
      if (i % 2) continue
      await call(url, key, `/addresses/${id}`, { method: 'DELETE' })
      answered.add(`addresses.delete${id}`)
    }
  } catch {
    // the server was killed
  }
}
