import { temporaryFolder } from '../attack/folder.ts'
import { backupRounds } from './backup-rounds.ts'

/** `npm run node -- test/crash/backups.ts 100`: backs up a server that receives mail, and reports lost mails and damaged files. */
const backups = Number(process.argv[2] ?? 20)
const report = await backupRounds(backups, temporaryFolder('mayfly-backups-'), (round) => {
  if (round % 10 === 0) console.log(`${round} of ${backups}`)
})
const sorted = report.tookMs.toSorted((a, b) => a - b)
console.log(`${backups} back-ups while 20 connections delivered ${report.accepted} mails: ${report.lost.length} mails lost, `
  + `${report.damaged} files damaged; ${sorted[Math.floor(backups / 2)]} ms in the median, ${sorted.at(-1)} ms at most, up to ${report.maxBytes} bytes; `
  + `${report.started} of ${report.copies} copies of the file alone were opened`)
if (report.lost.length + report.damaged + report.started > 0) process.exitCode = 1
