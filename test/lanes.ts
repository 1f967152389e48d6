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

/** Files that measure the time of the clock, or which of two accounts is first, or build again: nothing else may run meanwhile. */
const measured = [
  'test/fuzz/*.test.ts',
  'test/http/fair-share.test.ts',
  'test/http/list-cost.test.ts',
  'test/intake/limits.test.ts',
  'test/intake/parse-budget.test.ts',
  'test/packages/release.test.ts', // into dist, as others
  'test/sending/hanging.test.ts',
  'test/smtp/units/mail-rate.test.ts',
  'test/webhooks/hanging.test.ts',
  'test/worker/load-gauge.test.ts',
]

/** Files in which a browser works all the time: two of them take both cores. */
const browser = ['test/dashboard/*.test.ts', 'test/http/docs.test.ts', 'test/examples/browser-inbox.test.ts']

/**
 * Files of `npm run test:long`: they kill or start many processes, install packages, fill disks, drive a browser, or compare with other
 * programs. `npm test` runs the rest, and of these the ones in `alsoInShort`. `npm run test:postgres:rest` runs those that need PostgreSQL.
 */
const long = [
  'test/packages/*.test.ts',
  'test/smtp/{clients,postfix}.test.ts',
  'test/crash/*.test.ts',
  'test/nodes/{crash,rolling-restart}.test.ts',
  'test/{webhooks,sending}/crash.test.ts',
  'test/contract/fuzz.test.ts',
  'test/mcp/sign-ups.test.ts',
  'test/{hostile,fuzz}/*.test.ts',
  'test/mime/hostile.test.ts',
  'test/store/{account-deletion,file-size,file-space,full-disk,released,search-of-many}.test.ts',
  'test/cli/*.test.ts',
  'test/{dashboard,docs,examples,python,clients}/*.test.ts',
  'test/http/{docs,retention,authentication-fairness,compatible-beside-maildev}.test.ts',
  'test/contract/{breaking,stock-prism}.test.ts',
  'test/sdk/{browser,doc-examples*}.test.ts',
]

/** One file for each way to use the product that otherwise only long files test. */
const alsoInShort = ['test/cli/{config,config-file,serve,find-address,migrate}.test.ts', 'test/dashboard/{sign-in,mail}.test.ts']

/** Files of `npm test` that take long. They start first, the longest at the top. */
const first = [
  'test/cli/*.test.ts',
  'test/http/{authentication,connections,domain-checks,email-files,list-pages,search,wait}.test.ts',
  'test/smtp/{limits,postmaster}.test.ts',
  'test/sdk/{hostile-server,subscribe,wait-for*}.test.ts',
  'test/{cells,nodes,sending,store}/*.test.ts',
  'test/intake/search-indexing.test.ts',
  'test/lint/{exports,floors,ways}.test.ts',
]

/** Folders of which `npm run test:quick` runs nothing but the main job. */
const servers = ['test/{http,smtp,webhooks}/*.test.ts']
const mainJob = ['test/http/main-job.test.ts']

const isOneOf = (patterns: string[]) => (file: string) => patterns.some((pattern) => matchesGlob(file, pattern))
const isMeasured = isOneOf(measured)
const isBrowser = isOneOf(browser)
const isLong = isOneOf(long)
const isServer = isOneOf(servers)
const placeIn = (list: string[]) => (file: string) => {
  const place = list.findIndex((pattern) => matchesGlob(file, pattern))
  return place < 0 ? list.length : place
}
const placeOf = placeIn([...long, ...first])
const startLongestFirst = (files: string[]) => files.sort((a, b) => placeOf(a) - placeOf(b))

/** One more than the cores: most files wait now and then for a timer or a process. */
const jobs = availableParallelism() + 1

const lanes: Lane[] = [
  { name: 'side by side', jobs, filesOf: (files) => startLongestFirst(files.filter((file) => !isMeasured(file) && !isBrowser(file))) },
  { name: 'browser', jobs: 2, filesOf: (files) => files.filter(isBrowser) },
  { name: 'measured', jobs: 1, filesOf: (files) => files.filter(isMeasured) },
]

/** A lane with those of its files that a condition accepts. */
const only = (accepts: (file: string) => boolean, lane: Lane): Lane =>
  ({ ...lane, filesOf: (files) => lane.filesOf(files.filter(accepts)) })

const isOnSqlite = (file: string) => !isOneOf(ofPostgres)(file)
const isOnPostgres = (file: string) => !isOneOf(onSqliteAlone)(file)
const isShort = (file: string) => !isLong(file) || isOneOf(alsoInShort)(file)

const isOfStore = (file: string) => matchesGlob(file, 'test/{cells,nodes,store}/**') && isShort(file) && isOnPostgres(file)

/** The tests of `npm test`. */
export const shortLanes: Lane[] = [
  ...lanes.map((lane) => only((file) => isShort(file) && isOnSqlite(file), lane)),
  { name: 'store on PostgreSQL', jobs, isOnPostgres: true, filesOf: (files) => startLongestFirst(files.filter(isOfStore)) },
]

/** The tests of `npm run test:long`. */
export const longLanes = lanes.map((lane) => only((file) => !isShort(file) && isOnSqlite(file), lane))

/** The tests of `npm run test:postgres`, and those of them that `npm test` leaves out. */
export const postgresLanes = lanes.map((lane): Lane => ({ ...only(isOnPostgres, lane), isOnPostgres: true }))
export const postgresRestLanes = postgresLanes.map((lane) => only((file) => !isOfStore(file), lane))

/** The tests of `npm run test:quick`. */
export const quickLane: Lane = only(
  (file) => !isLong(file) && placeIn(first)(file) === first.length && (!isServer(file) || isOneOf(mainJob)(file)) && isOnSqlite(file),
  { ...lanes[0]!, name: 'quick' },
)
