import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { nodesRounds, wrongIn } from './crash/rounds.ts'

describe('Nodes: faults', function () {
  this.timeout(600_000)
  for (const [rounds, others, options] of [[10, '', {}], [6, ', with a store of sources that is unavailable or slow', { hasStore: true }]] as const) {
    it(`lose no mail, double none, and miss no event over ${rounds} kills, suspensions, ended connections and restarts of the database${others}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-nodes-'))
      try {
        const report = await nodesRounds(rounds, folder, undefined, options)
        expect(wrongIn(report), JSON.stringify(report)).to.deep.equal([])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
})
