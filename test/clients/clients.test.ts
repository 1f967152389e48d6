import { withPython } from '../python/python.ts'
import { apiKey, readCases } from './cases.ts'
import type { Case, CaseFile } from './cases.ts'
import { openCaseServer } from './case-server.ts'
import { checkOutcome } from './check-outcome.ts'
import type { Driver, Task } from './outcome.ts'
import { openPythonDriver } from './python-driver.ts'
import type { PythonDriver } from './python-driver.ts'
import { runTypeScript } from './typescript-driver.ts'

const files = readCases()

describe('SDKs: the same cases', () => {
  defineTests('TypeScript', () => runTypeScript)
})

withPython('SDKs: the same cases (Python)', () => {
  let driver: PythonDriver
  before(() => { driver = openPythonDriver() })
  after(() => driver[Symbol.asyncDispose]())
  defineTests('Python', () => driver.run)
})

function defineTests(language: string, driverOf: () => Driver) {
  for (const file of files) {
    for (const one of file.cases) it(`${file.topic}: ${one.name} (${language})`, () => runCase(file, one, driverOf()))
  }
}

async function runCase(file: CaseFile, one: Case, run: Driver) {
  const key = String(one.client?.apiKey ?? apiKey)
  await using server = await openCaseServer(one, key)
  const outcome = await run(toTask(file, one, server.url))
  await checkOutcome(one, outcome, server, key)
}

/** Fills the URL of the server into the options and the environment; a member that is null is left out. */
function toTask({ calls: shared = [] }: CaseFile, { client, environment = {}, calls = shared }: Case, url: string): Task {
  const options = Object.entries({ apiKey, baseUrl: '{server}', ...client }).filter(([, value]) => value !== null)
  const task: Task = {
    client: Object.fromEntries(options) as Task['client'],
    environment,
    calls: calls.map((call) => ({ ids: [], input: null, options: null, maxItems: null, ...call })),
  }
  const { host, port } = new URL(url)
  return JSON.parse(JSON.stringify(task).replaceAll('{server}', url).replaceAll('{host}', host).replaceAll('{port}', port)) as Task
}
