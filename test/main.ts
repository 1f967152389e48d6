import { execFileSync, spawn } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDocument } from '../openapi/document.ts'
import { lanes, quickLane } from './lanes.ts'
import type { Lane } from './lanes.ts'
import { answerCoverage } from './support/answer-coverage.ts'
import type { LaneStats } from './support/reporter.ts'
import { buildFolder } from './support/server-build.ts'
import { unanswered } from './support/unanswered.ts'

/**
 * `npm test [-- FILE… | -- MOCHA-OPTION…]`: all tests, lane by lane, or with arguments one run of mocha with these. `npm run test:quick`
 * passes `--quick`: the tests that need neither their own process nor a long time. Exit code 1 when a test fails.
 */
const args = process.argv.slice(2)
const isQuick = args[0] === '--quick'
if (args.length > 0 && !isQuick) {
  const namesFiles = args.some((argument) => argument.endsWith('.test.ts'))
  process.exit(await mocha([...args, ...namesFiles ? [] : ['test/**/*.test.ts']]))
}

const startedAt = performance.now()
/** The folder in which the processes of a run write their totals. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-tests-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const built = await buildFolder()
if (!isQuick) execFileSync(process.execPath, ['build/dashboard.ts'], { stdio: 'inherit' }) // once, for packages and executable
const files = globSync('test/**/*.test.ts').toSorted()
let exitCode = 0
for (const lane of isQuick ? [quickLane] : lanes) {
  if (await runLane(lane, lane.filesOf(files)) !== 0) exitCode = 1
}
if (!isQuick && exitCode === 0) exitCode = printAnswers()
printTotals()
process.exit(exitCode)

function runLane({ name, jobs }: Lane, chosen: string[]): Promise<number> {
  const parallel = jobs > 1 && chosen.length > 1 ? ['--parallel', '--jobs', String(jobs)] : []
  console.log(`\n${name}: ${chosen.length} files, ${parallel.length > 0 ? `${jobs} at a time` : 'one after the other'}`)
  return mocha([...parallel, '--reporter', 'test/support/reporter.ts', ...chosen], {
    TEST_RUN_FOLDER: folder, TEST_LANE: name, TEST_SERVER_BUILD: built,
    NODE_COMPILE_CACHE: join(folder, 'compiled'), // for all processes of the run, also those that tests start
  })
}

function mocha(options: string[], variables: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options], { stdio: 'inherit', env: { ...process.env, ...variables } })
  const end = () => {
    child.kill()
    process.exit(143) // 128 and the number of SIGTERM
  }
  process.once('SIGTERM', end)
  return new Promise((resolve) => child.once('exit', (code) => {
    process.off('SIGTERM', end)
    resolve(code ?? 1)
  }))
}

/** Compares the answers that the servers of all tests gave with the answers of the document. @returns the exit code */
function printAnswers(): number {
  const answered = new Set(readAll<string[]>('answers-').flat())
  const { table, problems } = answerCoverage(readDocument(), answered, unanswered)
  console.log(`\n${table.join('\n')}`)
  if (problems.length > 0) console.error(`\ntest/support/unanswered.ts does not fit what was answered:\n${problems.join('\n')}`)
  return problems.length > 0 ? 1 : 0
}

function printTotals() {
  const stats = readAll<LaneStats>('lane-')
  const sum = (of: keyof LaneStats) => stats.reduce((total, lane) => total + lane[of], 0)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const took = `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  console.log(`\nAll lanes: ${sum('passes')} passing, ${sum('failures')} failing, ${sum('pending')} pending in ${took}`)
}

function readAll<T>(prefix: string): T[] {
  return readdirSync(folder).filter((name) => name.startsWith(prefix)).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T)
}
