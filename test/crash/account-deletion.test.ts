import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { expect } from 'chai'
import { mayfly } from '../cli/run.ts'
import { openTestApp } from '../support/app.ts'
import { newFolder } from '../support/new-database.ts'
import { emailOf } from '../support/store/accounts.ts'
import { isIntact, openDatabaseFile } from '../support/store/database-files.ts'
import type { DatabaseFile } from '../support/store/database-files.ts'
import { manyRows } from '../support/store/many-rows.ts'
import { startServer } from './server.ts'

const tables = ['emails', 'addresses', 'audit_logs', 'webhook_deliveries', 'forwarding_addresses', 'messages', 'api_keys', 'accounts'] as const
const rows = 2_048
/** Fractions of the rows, after whose removal the server is killed. */
const kills = [0.95, 0.7, 0.5, 0.3, 0.1]

describe('Crash recovery: account deletion', () => {
  it(`removes all rows of the account over ${kills.length} kills, and no others`, async function () {
    this.timeout(600_000)
    const folder = await newFolder()
    const database = join(folder, 'mayfly.db')
    try {
      const expected = await prepare(database)
      using file = openDatabaseFile(database)
      const total = countAll(file)
      for (const share of kills) {
        const server = await startServer(folder)
        await until(() => countAll(file) < total * share)
        await pass(randomInt(20))
        server.child.kill('SIGKILL')
        await server.exited
        expect(countAll(file), 'the removal was not over at the kill').to.be.greaterThan(sum(expected))
      }
      const last = await startServer(folder)
      await until(() => file.count('accounts') === 1 && file.count('discarded_messages') === 0)
      last.child.kill('SIGTERM')
      await last.exited
      expect(counts(file)).to.deep.equal(expected)
      expect(isIntact(database)).to.equal(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Makes a database with two accounts, one of which is deleted, but nothing of it removed. @returns the rows of the other one */
async function prepare(database: string): Promise<Record<string, number>> {
  const app = await openTestApp({ database, isRealTime: true })
  const { address } = await app.newAddress()
  await app.send({ to: address, subject: 'stays' })
  await app.settled()
  using file = openDatabaseFile(database)
  const expected = counts(file)
  const { key } = await manyRows(app, rows)
  await app.api('GET', '/audit-logs', { key })
  const email = await emailOf(app, key)
  await app[Symbol.asyncDispose]()
  expect((await mayfly(['account', 'delete', email, '--yes'], { MAYFLY_DATABASE: database })).code).to.equal(0)
  return expected
}

const counts = (file: DatabaseFile) => Object.fromEntries(tables.map((table) => [table, file.count(table)]))
const sum = (each: Record<string, number>) => Object.values(each).reduce((total, count) => total + count, 0)
const countAll = (file: DatabaseFile) => sum(counts(file))

async function until(isSo: () => boolean) {
  for (const end = Date.now() + 20_000; !isSo() && Date.now() < end;) await pass(2)
  expect(isSo()).to.equal(true)
}
