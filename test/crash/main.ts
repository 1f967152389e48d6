import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashRounds } from './rounds.ts'

/** `npm run crash -- 200`: kills the server 200 times, then reports lost and repeated mails. */
const rounds = Number(process.argv[2] ?? 50)
const folder = mkdtempSync(join(tmpdir(), 'mayfly-crash-'))
try {
  const report = await crashRounds(rounds, folder, (round) => {
    if (round % 10 === 0) console.log(`${round} of ${rounds}`)
  })
  console.log(`${report.rounds} kills, ${report.accepted} mails answered 250, ${report.lost.length} lost, ${report.repeated.length} published twice`)
  if (report.lost.length > 0 || report.repeated.length > 0) {
    console.log('lost', report.lost.slice(0, 10), 'repeated', report.repeated.slice(0, 10))
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
