import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { stopRounds } from './stop-rounds.ts'

/** The target is 2,000 ms; a thread that does not end in time is terminated after 10,000. */
const maxStopMs = 30_000

describe('Shutdown', () => {
  it('ends with exit code 0 at 12 random moments of a mail of 1 kB or 1 MB, and keeps every mail that was answered 250', async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-stop-'))
    try {
      const report = await stopRounds(12, folder)
      console.log(`      ${report.accepted} mails; the slowest stop took ${Math.max(...report.stops.map(({ tookMs }) => tookMs))} ms`)
      expect(report.stops.filter(({ exitCode, tookMs }) => exitCode !== 0 || tookMs > maxStopMs)).to.deep.equal([])
      expect(report.lost).to.deep.equal([])
      expect(report.repeated).to.deep.equal([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
