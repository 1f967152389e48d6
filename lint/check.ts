import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { root } from '../build/paths.ts'

const types = ['node_modules/typescript/bin/tsc', '-p']

/** The programs of each check, with their arguments, in the order in which they begin: those that take long first. */
const checks: Record<string, string[][]> = {
  generated: [['openapi/check-generated.ts']],
  lint: [['node_modules/eslint/bin/eslint.js', '.']],
  dashboard: [['build/dashboard.ts', '--check']],
  types: [[...types, 'tsconfig.json'], [...types, 'dashboard/tsconfig.json']],
  exports: [['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors']],
  python: [['node_modules/pyright/index.js', '-p', 'python']],
  floors: [[
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.cjs',
    'server', 'cli', 'mcp', 'sdk', 'dashboard/src', 'examples', 'openapi', 'test',
  ]],
  words: [['lint/check-words.ts']],
  contract: [['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi/openapi.yaml', 'openapi/openapi.classic.yaml', '--config', 'openapi/lint.yaml']],
  breaking: [['openapi/check-breaking.ts']],
  lock: [['build/lock.ts', '--check']],
}

/** Writes the generated files, which the others read: runs before them. */
const first = 'generated'

/**
 * `npm run check [-- NAME…]`: runs all checks, or those that are named, as many at once as the machine has cores, and prints the output of
 * those that fail. Exit code 1 when one fails.
 */
const named = process.argv.slice(2)
const unknown = named.filter((name) => !checks[name])
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. Checks are ${Object.keys(checks).join(', ')}.`)
  process.exit(2)
}
const chosen = Object.keys(checks).filter((name) => named.length === 0 || named.includes(name))
const queue = new PQueue({ concurrency: availableParallelism() })
const failed: string[] = []
if (chosen.includes(first)) await run(first)
await queue.addAll(chosen.filter((name) => name !== first).map((name) => () => run(name)))
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
}

async function run(name: string): Promise<void> {
  const begun = performance.now()
  const outputs: string[] = []
  for (const program of checks[name]!) outputs.push(await outputOfFailure(program))
  const hasFailed = outputs.some((output) => output !== '')
  console.log(`${hasFailed ? 'FAILED' : 'ok    '} ${name}, ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  if (!hasFailed) return
  failed.push(name)
  console.log(outputs.join(''))
}

/** Runs a program of Node. @returns all that it prints when it fails, else nothing */
function outputOfFailure(program: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, program, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}\n` : '')
    })
  })
}
