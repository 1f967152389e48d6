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

const folder = temporaryFolder('mayfly-attack-')
const templates: Templates = new Map()
const results: Result[] = []
using dns = await openDns()
printHead()
for (const scenario of scenarios.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const result = await runScenario(scenario, { folder, dns, templates })
  rmSync(join(folder, scenario.name), { recursive: true, force: true })
  printResult(scenario, result)
  results.push(result)
}
const failed = results.filter(({ failures }) => failures.length > 0).map(({ name }) => name)
console.log(`\n${results.length} scenarios, ${results.length - failed.length} passed, ${failed.length} failed` +
  (failed.length > 0 ? `: ${failed.join(', ')}` : ''))
if (json) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`)
if (failed.length > 0) process.exitCode = 1
