import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { readDocument } from '../openapi/document.ts'
import { longLanes, postgresLanes, postgresRestLanes, quickLane, shortLanes } from './lanes.ts'
import type { Lane } from './lanes.ts'
import { answerCoverage } from './support/answer-coverage.ts'
import { startPostgres } from './support/postgres-server.ts'
import type { PostgresServer } from './support/postgres-server.ts'
import type { RunResult } from './support/reporter.ts'
import { buildFolder } from './support/server-build.ts'
import { unanswered } from './support/unanswered.ts'

/**
 * `npm test [-- FILE… | -- MOCHA-OPTION…]`: the tests, lane by lane, or with arguments one run of mocha with these. `npm run test:long`
 * passes `--long`: the tests that `npm test` leaves out since they take long. `npm run test:quick` passes `--quick`: a part of `npm test`
 * that takes about a minute. `npm run test:postgres [-- FILE…]` passes `--postgres`: the tests that do not need SQLite run on a PostgreSQL
 * server, which is started for them. `npm run test:postgres:rest` passes `--postgres-rest`: those that `npm test` has not run there. Exit
 * code 1 when one fails.
 */
const modes: Record<string, Lane[] | undefined> = {
  '--quick': [quickLane], '--long': longLanes, '--postgres': postgresLanes, '--postgres-rest': postgresRestLanes,
}
const [mode, ...args] = modes[process.argv[2]!] ? process.argv.slice(2) : ['', ...process.argv.slice(2)]
const lanes = modes[mode!] ?? shortLanes

let running: ChildProcess | undefined
for (const [signal, number] of [['SIGTERM', 15], ['SIGINT', 2]] as const) {
  process.once(signal, () => {
    running?.kill()
    process.exit(128 + number)
  })
}

let server: PostgresServer | undefined
/** The variables of tests that run on PostgreSQL: they share the server that is started here, unless TEST_POSTGRES names one. */
const postgresVariables = async () => {
  server ??= process.env['TEST_POSTGRES'] ? undefined : await startPostgres()
  return { MAYFLY_TEST_ENGINE: 'postgres', ...server && { TEST_POSTGRES: server.url('%') } }
}

if (args.length > 0) {
  const namesFiles = args.some((argument) => argument.endsWith('.test.ts'))
  const isOnPostgres = mode === '--postgres'
  const variables = isOnPostgres ? await postgresVariables() : {}
  await exit(await mocha([...args, ...namesFiles ? [] : ['test/**/*.test.ts']], variables))
}

const startedAt = performance.now()
/** The folder in which the processes of a run write their totals. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-tests-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const built = await buildFolder()
if (mode === '' || mode === '--long') execFileSync(process.execPath, ['build/dashboard.ts'], { stdio: 'inherit' }) // once, for packages and executable
const files = globSync('test/**/*.test.ts').toSorted()
/** The number of files of a run that may fail beside others and pass alone: a busy machine delays a process by seconds. */
const maxRepeatedFiles = 3
let repeatedFiles = 0
/** Files whose faults come at random would pass the second time with a race that they have found. */
const mayRepeat = (file: string) =>
  file !== '' && !matchesGlob(file, 'test/{crash/*,nodes/crash}.test.ts') && !matchesGlob(file, 'test/{webhooks,sending}/crash.test.ts')
/** Of the runs of mocha so far. */
const results: RunResult[] = []
let exitCode = 0
for (const lane of lanes) {
  if (await runLane(lane, lane.filesOf(files)) !== 0) exitCode = 1
}
if (mode === '' && exitCode === 0) exitCode = printAnswers() // of all tests in it
printTotals()
await exit(exitCode)

async function exit(code: number): Promise<never> {
  await server?.stop()
  process.exit(code)
}

async function runLane({ name, jobs, isOnPostgres }: Lane, chosen: string[]): Promise<number> {
  if (chosen.length === 0) return 0
  const parallel = jobs > 1 && chosen.length > 1
  console.log(`\n${name}: ${chosen.length} files, ${parallel ? `${jobs} at a time` : 'one after the other'}`)
  const variables = {
    TEST_RUN_FOLDER: folder, TEST_SERVER_BUILD: built,
    NODE_COMPILE_CACHE: join(folder, 'compiled'), // for all processes of the run, also those that tests start
    ...isOnPostgres && await postgresVariables(),
  }
  const run = (files: string[], ...options: string[]) => reported([...options, ...files], variables)
  const { code, failedFiles } = await run(chosen, ...parallel ? ['--parallel', '--jobs', String(jobs)] : [])
  repeatedFiles += failedFiles.length
  if (code === 0 || failedFiles.length === 0 || repeatedFiles > maxRepeatedFiles || !failedFiles.every(mayRepeat)) return code
  console.log(`\n${name}: the files with a failed test once more, with nothing beside them: ${failedFiles.join(', ')}`)
  return (await run(failedFiles)).code
}

/** Runs mocha, and adds to `results`. */
async function reported(options: string[], variables: Record<string, string>): Promise<{ code: number; failedFiles: string[] }> {
  const file = join(folder, `result-${results.length}.json`)
  const code = await mocha(['--reporter', 'test/support/reporter.ts', ...options], { ...variables, TEST_RESULT: file })
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as RunResult : { passes: 0, pending: 0, failures: [] }
  results.push(result)
  return { code, failedFiles: [...new Set(result.failures.map((failure) => failure.file))] }
}

function mocha(options: string[], variables: Record<string, string> = {}): Promise<number> {
  const child = running = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options], {
    stdio: 'inherit', env: { ...process.env, ...variables },
  })
  return new Promise((resolve) => child.once('exit', (code) => { resolve(code ?? 1) }))
}

/** Compares the answers that the servers of the tests gave with the answers of the document. @returns the exit code */
function printAnswers(): number {
  const names = readdirSync(folder).filter((name) => name.startsWith('answers-'))
  const answered = new Set(names.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[]))
  const { table, problems } = answerCoverage(readDocument(), answered, unanswered)
  console.log(`\n${table.join('\n')}`)
  if (problems.length > 0) console.error(`\ntest/support/unanswered.ts does not fit what was answered:\n${problems.join('\n')}`)
  return problems.length > 0 ? 1 : 0
}

function printTotals() {
  const failures = results.flatMap((result) => result.failures)
  for (const { file, title, message } of failures) console.log(`\nfailed: ${file}: ${title}\n  ${message}`)
  const sum = (of: 'passes' | 'pending') => results.reduce((total, result) => total + result[of], 0)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const took = `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  console.log(`\nAll runs: ${sum('passes')} passing, ${failures.length} failing, ${sum('pending')} pending in ${took}`)
}
