import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { systemClock } from '../../server/clock.ts'
import { openDatabase } from '../../server/store/database.ts'
import { cleanups } from './cleanups.ts'
import { startPostgres } from './postgres-server.ts'

/** The URL of a server that the run of the tests has started, with `%` for the name of the database. */
const shared = process.env['TEST_POSTGRES']

let server: Promise<(database: string) => string> | undefined
let template: Promise<string> | undefined

/** Makes a database of the server of the tests, from a template with today's schema, or without one. @returns its URL */
export async function newPostgresDatabase({ isEmpty = false } = {}): Promise<string> {
  server ??= shared ? Promise.resolve((database: string) => shared.replace('%', database)) : startPostgres().then(({ url }) => url)
  const url = await server
  const name = newName('test')
  await create(url, name, isEmpty ? 'template0' : await (template ??= makeTemplate(url)))
  if (made.length === 0) cleanups.add(dropAll)
  made.push(name)
  return url(name)
}

/** The databases of the test file that runs. */
const made: string[] = []

/** Each takes 8 MB, also in memory. */
async function dropAll() {
  const names = made.splice(0)
  await runOnPostgres((await server!)('postgres'), ...names.map((name) => `drop database ${name} with (force)`))
}

async function makeTemplate(url: (database: string) => string): Promise<string> {
  const name = newName('template')
  await create(url, name, 'template0')
  const db = await openDatabase(url(name), systemClock)
  await db.close()
  return name
}

const newName = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`

const create = (url: (database: string) => string, name: string, template: string): Promise<unknown> =>
  runOnPostgres(url('postgres'), `create database ${name} template ${template} strategy = file_copy`)

/** Runs statements outside of Mayfly. @returns the rows of the last one */
export async function runOnPostgres(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // the query fails too
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
