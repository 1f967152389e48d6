import { mkdtemp, rm } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { hasGrown } from '../support/grown.ts'
import { newDatabase } from '../support/new-database.ts'
import { sendRaw } from '../support/send-raw.ts'
import { openStoredData } from '../support/store/stored-data.ts'
import { call, newAddress, startServer } from './server.ts'

describe('Crash recovery: counters and audit log', () => {
  it('agree with the rows after each of 5 kills, and the audit log has every change that was answered', async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-counters-'))
    const database = await newDatabase(join(folder, 'mayfly.db'))
    const answered = new Set<string>()
    let key = ''
    try {
      for (let round = 0; round < 5; round++) {
        const server = await startServer(folder, { MAYFLY_DATABASE: database })
        key ||= server.key
        const load = Array.from({ length: 4 }, () => useUntilClosed(server, key, answered))
        await hasGrown(answered, randomInt(5, 25), 10_000)
        server.child.kill('SIGKILL')
        await Promise.all([server.exited, ...load])
        await using stored = await openStoredData(database)
        for (const [name, [counter, rows]] of Object.entries(await stored.counters())) expect(counter, `${name}, round ${round}`).to.equal(rows)
        const recorded = await stored.auditedChanges()
        expect([...answered].filter((change) => !recorded.has(change))).to.deep.equal([])
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
