import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { newDatabase } from '../support/new-database.ts'
import { crashRounds } from './rounds.ts'

describe('Crash recovery: received mail', () => {
  it('publishes every mail that was answered 250 exactly once, over 20 kills under load', async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-crash-'))
    const database = await newDatabase(join(folder, 'mayfly.db'))
    try {
      const report = await crashRounds(20, folder, database)
      expect(report.accepted).to.be.greaterThan(20)
      expect(report.lost).to.deep.equal([])
      expect(report.repeated).to.deep.equal([])
      expect(report.damaged).to.deep.equal([])
      expect(report.orphaned).to.equal(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
