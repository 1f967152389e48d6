import { availableParallelism } from 'node:os'
import { matchesGlob } from 'node:path'
import { ofPostgres, onSqliteAlone } from './engines.ts'

/** A group of test files that one run of mocha executes. */
export interface Lane {
  name: string
  /** Number of files at the same time, each in a process of a pool. */
  jobs: number
  isOnPostgres?: true
  /** Selects the files of this lane from all test files, in the order in which they start. */
  filesOf(files: string[]): string[]
}

/** Files that measure the time of the clock, or which of two accounts is first: nothing else may run meanwhile. */
const measured = [
  'test/fuzz/*.test.ts',
  'test/http/fair-share.test.ts',
  'test/http/list-cost.test.ts',
  'test/intake/limits.test.ts',
  'test/intake/parse-budget.test.ts',
  'test/sending/hanging.test.ts',
  'test/smtp/units/mail-rate.test.ts',
  'test/webhooks/hanging.test.ts',
  'test/worker/load-gauge.test.ts',
]

/** Files in which a browser works all the time: two of them take both cores. */
const browser = ['test/dashboard/*.test.ts', 'test/http/docs.test.ts', 'test/examples/browser-inbox.test.ts']

/** Files that kill servers, build packages, start browsers or other processes, or take long. They start first, the longest at the top. */
const long = [
  'test/crash/stop.test.ts',
  'test/packages/*.test.ts',
  'test/contract/fuzz.test.ts',
  'test/{crash,webhooks,sending}/*crash.test.ts',
  'test/crash/*.test.ts',
  'test/mime/hostile.test.ts',
  'test/hostile/*.test.ts',
  'test/http/retention.test.ts',
  'test/cli/*.test.ts',
  'test/examples/*.test.ts',
  'test/contract/{breaking,stock-prism}.test.ts',
  'test/http/{authentication*,connections,domain-checks,email-files,list-pages,search,wait}.test.ts',
  'test/docs/*.test.ts',
  'test/sdk/{browser,doc-examples*,hostile-server,subscribe,wait-for*}.test.ts',
  'test/{python,clients}/*.test.ts',
  'test/sending/*.test.ts',
  'test/store/*.test.ts',
  'test/smtp/{limits,postmaster}.test.ts',
  'test/intake/search-indexing.test.ts',
  'test/lint/{exports,floors,ways}.test.ts',
]

const isOneOf = (patterns: string[]) => (file: string) => patterns.some((pattern) => matchesGlob(file, pattern))
const isMeasured = isOneOf(measured)
const isBrowser = isOneOf(browser)
const placeOf = (file: string) => {
  const place = long.findIndex((pattern) => matchesGlob(file, pattern))
  return place < 0 ? long.length : place
}

/** One more than the cores: most files wait now and then for a timer or a process. */
const jobs = availableParallelism() + 1

const lanes: Lane[] = [
  {
    name: 'side by side', jobs,
    filesOf: (files) => files.filter((file) => !isMeasured(file) && !isBrowser(file)).sort((a, b) => placeOf(a) - placeOf(b)),
  },
  { name: 'browser', jobs: 2, filesOf: (files) => files.filter(isBrowser) },
  { name: 'measured', jobs: 1, filesOf: (files) => files.filter(isMeasured) },
]

const without = (patterns: string[], lane: Lane): Lane =>
  ({ ...lane, filesOf: (files) => lane.filesOf(files.filter((file) => !isOneOf(patterns)(file))) })

/** The tests of `npm run test:postgres`. */
export const postgresLanes = lanes.map((lane): Lane => ({ ...without(onSqliteAlone, lane), isOnPostgres: true }))

/** The tests of `npm test`. */
export const allLanes: Lane[] = [
  ...lanes.map((lane) => without(ofPostgres, lane)),
  {
    ...without(onSqliteAlone, { name: 'store on PostgreSQL', jobs, filesOf: (files) => files.filter(isOneOf(['test/{nodes,store}/**'])) }),
    isOnPostgres: true,
  },
]

/** The tests of `npm run test:quick`. */
export const quickLane: Lane = {
  name: 'quick', jobs, filesOf: (files) => files.filter((file) => !isMeasured(file) && !isBrowser(file) && placeOf(file) === long.length),
}
