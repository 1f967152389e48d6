import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayfly, serve } from './run.ts'
import type { Outcome, Served } from './run.ts'

/** A folder of one test, in which commands run on databases. */
export interface DatabaseFolder {
  path: string
  /** The file of the database on which a command runs that names no other. */
  database: string
  run(args: string[], file?: string): Promise<Outcome>
  startServer(file?: string): Promise<Served>
  createAccount(email: string): Promise<Outcome>
  /** Email addresses of the accounts of a database. */
  accounts(file?: string): Promise<string[]>
}

/** Variables of a command that runs on this database. */
export const variablesOf = (database: string) => ({ MAYFLY_DATABASE: database, MAYFLY_MIN_FREE_BYTES: '0' })

/** Makes a folder before each test of the suite that calls this, and removes it afterwards. */
export function useDatabaseFolder(): DatabaseFolder {
  const run: DatabaseFolder['run'] = (args, file = folder.database) => mayfly(args, variablesOf(file))
  const folder: DatabaseFolder = {
    path: '',
    database: '',
    run,
    startServer: (file = folder.database) => serve({ ...variablesOf(file), MAYFLY_LOG_LEVEL: 'silent' }),
    createAccount: (email) => run(['account', 'create', '--email', email, '--plan', 'business']),
    async accounts(file) {
      const { code, stdout, stderr } = await run(['account', 'list', '--json'], file)
      expect([code, stderr]).to.deep.equal([0, ''])
      return JSON.parse(stdout).map(({ email }: { email: string }) => email)
    },
  }
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'mayfly-database-'))
    folder.database = join(folder.path, 'data', 'mayfly.db')
  })
  afterEach(() => rm(folder.path, { recursive: true, force: true }))
  return folder
}

export function expectFailure({ code, stdout, stderr }: Outcome, reason: RegExp): void {
  expect([code, stdout], stderr).to.deep.equal([1, ''])
  expect(stderr).to.match(/^mayfly: [^\n]+\n$/).and.match(reason)
}
