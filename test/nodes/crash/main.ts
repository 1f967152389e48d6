import { temporaryFolder } from '../../attack/folder.ts'
import { nodesRounds, wrongIn } from './rounds.ts'

/**
 * `npm run crash:nodes -- 100 [--sources]`: causes 100 faults of three nodes and their database under load, then reports lost and doubled
 * work. With `--sources` the sources of mail are in a store, which has faults too.
 */
/** So many rounds take longer than the minute of a window. */
const minRoundsOfAWindow = 50
const rounds = Number(process.argv[2] ?? 30)
const report = await nodesRounds(rounds, temporaryFolder('mayfly-nodes-'), (step) => { console.log(step) }, {
  hasStore: process.argv.includes('--sources'),
})
console.log(report)
const wrong = [...wrongIn(report), ...rounds >= minRoundsOfAWindow && report.limitedWindows === 0 ? ['no window reached its limit'] : []]
if (wrong.length > 0) console.error(`wrong: ${wrong.join(', ')}`)
process.exit(wrong.length > 0 ? 1 : 0)
