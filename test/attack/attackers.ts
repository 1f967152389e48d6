import { getPriority, setPriority } from 'node:os'
import { niceness } from './bars.ts'
import { add } from './figures.ts'
import type { Counts } from './figures.ts'
import type { Target } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

/** The process of the attackers: runs one scenario until a message stops it, and answers with the counted outcomes. */
const [name, target] = process.argv.slice(2) as [string, string]
setPriority(getPriority() + niceness)
const counts: Counts = {}
process.on('message', () => process.send!(counts, () => process.exit()))
process.on('disconnect', () => process.exit())

const { attack } = scenarios.find((scenario) => scenario.name === name)!
await attack(JSON.parse(target) as Target, (outcome, count) => add(counts, outcome, count))
