import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDns } from './dns.ts'
import { temporaryFolder } from './folder.ts'
import { runScenario } from './run.ts'
import type { Result } from './run.ts'
import { scenarios } from './scenarios/index.ts'
import { printHead, printResult } from './table.ts'
import type { Templates } from './world.ts'

/** `npm run attack [-- NAME…] [--json FILE]`: measures how attacks of one account affect another. Exit code 1 when a scenario fails. */
const { positionals: names, values: { json } } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } })
const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. Scenarios are ${scenarios.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

/** Runs of a scenario whose first run failed, since one stall of the machine can cause that: it passes when most runs pass. */
const runsToDecide = 3

const folder = temporaryFolder('mayfly-attack-')
const templates: Templates = new Map()
const results: Result[] = []
const failed: string[] = []
let scenariosRun = 0
const isPassed = ({ failures }: Result) => failures.length === 0
using dns = await openDns()
printHead()
for (const scenario of scenarios.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const runs: Result[] = []
  for (let most = 1; runs.length < most; most = runs.every(isPassed) ? 1 : runsToDecide) {
    const result = await runScenario(scenario, { folder, dns, templates })
    rmSync(join(folder, scenario.name), { recursive: true, force: true })
    printResult(scenario, result)
    runs.push(result)
  }
  results.push(...runs)
  scenariosRun++
  if (runs.filter(isPassed).length <= runs.length / 2) failed.push(scenario.name)
}
console.log(`\n${scenariosRun} scenarios, ${scenariosRun - failed.length} passed, ${failed.length} failed` +
  (failed.length > 0 ? `: ${failed.join(', ')}` : ''))
if (json) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`)
if (failed.length > 0) process.exitCode = 1
