import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { systemClock } from '../../server/clock.ts'
import { openDatabase } from '../../server/store/database.ts'
import { startPostgres } from './postgres-server.ts'

/** The URL of a server that the run of the tests has started, with `%` for the name of the database. */
const shared = process.env['TEST_POSTGRES']

let server: Promise<(database: string) => string> | undefined
let template: Promise<string> | undefined

/** Makes a database of the server of the tests, from a template with today's schema, or without one. @returns its URL */
export async function newPostgresDatabase({ isEmpty = false } = {}): Promise<string> {
  server ??= shared ? Promise.resolve((database: string) => shared.replace('%', database)) : startPostgres().then(({ url }) => url)
  const url = await server
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await create(url, name, isEmpty ? 'template0' : await (template ??= makeTemplate(url)))
  return url(name)
}

async function makeTemplate(url: (database: string) => string): Promise<string> {
  const name = `template_${process.pid}`
  await create(url, name, 'template0')
  const db = await openDatabase(url(name), systemClock)
  await db.close()
  return name
}

async function create(url: (database: string) => string, name: string, template: string): Promise<void> {
  const client = new Client({ connectionString: url('postgres') })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${template} strategy = file_copy`)
  } finally {
    await client.end()
  }
}
