import { temporaryFolder } from '../attack/folder.ts'
import { crashRounds } from './rounds.ts'

/** `npm run crash -- 200`: kills the server 200 times, then reports lost, repeated and damaged mails and chunks without a message. */
const rounds = Number(process.argv[2] ?? 50)
const maxMailsBeforeKill = 40
const folder = temporaryFolder('mayfly-crash-')
const { accepted, bySize, lost, repeated, damaged, orphaned } = await crashRounds(rounds, folder, `${folder}/mayfly.db`, maxMailsBeforeKill, (round) => {
  if (round % 10 === 0) console.log(`${round} of ${rounds}`)
})
console.log(`${rounds} kills, ${accepted} mails answered 250 (${Object.entries(bySize).map(([bytes, count]) => `${count} of ${bytes} bytes`).join(', ')}), ${lost.length} lost, ${repeated.length} published twice, ` +
  `${damaged.length} of a sample damaged, chunks of ${orphaned} messages that are not there`)
if (lost.length + repeated.length + damaged.length + orphaned > 0) {
  console.log('lost', lost.slice(0, 10), 'repeated', repeated.slice(0, 10), 'damaged', damaged.slice(0, 10))
  process.exitCode = 1
}
