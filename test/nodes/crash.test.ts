import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { nodesRounds, wrongIn } from './crash/rounds.ts'

describe('Nodes: faults', () => {
  it('lose no mail, double none, and miss no event over 10 kills, suspensions, ended connections and restarts of the database', async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-nodes-'))
    try {
      const report = await nodesRounds(10, folder)
      expect(wrongIn(report), JSON.stringify(report)).to.deep.equal([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
