import { Command } from 'commander'
import { systemClock } from '../../server/clock.ts'
import { readConfig } from '../../server/config/config.ts'
import { databaseLabel, isDatabaseUrl } from '../../server/config/database-url.ts'
import { tryMigrations } from '../../server/store/copies.ts'
import { openDatabase } from '../../server/store/database.ts'
import { inspectDatabase } from '../../server/store/inspect.ts'
import { CliError } from '../cli-error.ts'
import { onInterrupt } from '../client/interrupt.ts'
import { withExamples, withJson } from '../client/options.ts'
import { withProgress } from '../client/progress.ts'
import { join, line, print } from '../output.ts'
import { existingDatabase } from '../with-database.ts'

export function migrateCommand(): Command {
  return withJson(withExamples(new Command('migrate'), [
    'mayfly migrate --dry-run   before an upgrade, with the new version, while the old one runs',
    'mayfly migrate             what the start of the server does as well',
  ]))
    .option('--dry-run', 'migrate a copy of the database, and remove the copy')
    .action(async ({ dryRun = false, ...options }: { dryRun?: boolean, json?: boolean }) => {
      const database = await existingDatabase()
      if (dryRun && isDatabaseUrl(database)) throw new CliError(`--dry-run: is for a database in a file. ${wayOut}`)
      const file = databaseLabel(database)
      const { schema, missing, isServed } = await stateOf(database)
      const startedAt = performance.now()
      if (dryRun) {
        const { minFreeBytes } = readConfig(process.env)
        await withProgress('trying', (onProgress) => tryMigrations(database, systemClock, { minFreeBytes, signal: onInterrupt(), onProgress }))
      } else if (missing.length > 0) {
        if (isServed && !isDatabaseUrl(database)) throw new CliError(`MAYFLY_DATABASE: another version of the server runs on ${file}. Stop it first, or use --dry-run.`)
        const opened = await withProgress('migrating', (onProgress) => openDatabase(database, systemClock, { onProgress }))
        await opened.close()
      }
      const result = { database: file, dryRun, schema, migrations: missing, durationMs: Math.round(performance.now() - startedAt) }
      print(options, result, describe)
    })
}

const wayOut = 'Copy that of a PostgreSQL server by pg_dump and pg_restore to another database, and migrate that one.'

/** @throws CliError when this version cannot migrate the database */
async function stateOf(database: string) {
  const file = databaseLabel(database)
  const found = await inspectDatabase(database)
  if (found.kind === 'unreachable') throw new CliError(found.reason)
  if (found.kind === 'incomplete') throw new CliError(`MAYFLY_DATABASE: ${file} ${found.reason}. ${found.wayOut}`)
  if (found.kind === 'unusable') throw new CliError(`MAYFLY_DATABASE: ${file} cannot be opened: ${found.reason}`)
  if (found.kind === 'none') throw new CliError(`MAYFLY_DATABASE: there is no file ${file}.`)
  if (found.newer) throw new CliError(`MAYFLY_DATABASE: ${file} ${found.newer}. Use that version.`)
  return { schema: found.applied.toSorted().at(-1) ?? null, missing: found.missing, isServed: found.isServed }
}

interface Result {
  database: string
  dryRun: boolean
  schema: string | null
  migrations: string[]
  durationMs: number
}

function describe({ database, dryRun, schema, migrations, durationMs }: Result) {
  const head = line`${database}: schema ${schema ?? 'none'}${migrations.length === 0 ? ', up to date' : ''}`
  const steps = migrations.map((name) => line`${dryRun ? 'would apply' : 'applied'} ${name}`)
  const tried = dryRun ? [line`tried on a copy in ${durationMs} ms, without an error; the database is unchanged`] : []
  return join([head, ...steps, ...tried], '\n')
}
