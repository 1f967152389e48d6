import { temporaryFolder } from '../../attack/folder.ts'
import { nodesRounds, wrongIn } from './rounds.ts'

/** `npm run crash:nodes -- 100`: causes 100 faults of three nodes and their database under load, then reports lost and doubled work. */
const rounds = Number(process.argv[2] ?? 30)
const report = await nodesRounds(rounds, temporaryFolder('mayfly-nodes-'), (step) => { console.log(step) })
console.log(report)
const wrong = wrongIn(report)
if (wrong.length > 0) console.error(`wrong: ${wrong.join(', ')}`)
process.exit(wrong.length > 0 ? 1 : 0)
