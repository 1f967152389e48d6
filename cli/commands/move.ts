import { Command } from 'commander'
import { systemClock } from '../../server/clock.ts'
import { readConfig } from '../../server/config/config.ts'
import { databasePath } from '../../server/config/database-path.ts'
import { databaseLabel, isDatabaseUrl } from '../../server/config/database-url.ts'
import { moveDatabase } from '../../server/store/move/move.ts'
import { CliError } from '../cli-error.ts'
import { onInterrupt } from '../client/interrupt.ts'
import { withExamples, withJson } from '../client/options.ts'
import { withProgress } from '../client/progress.ts'
import { line, print, say } from '../output.ts'

interface Options {
  from: string
  to?: string
  json?: boolean
}

/** Milliseconds between two lines about a table. */
const reportMs = 5_000

export function moveCommand(): Command {
  return withJson(withExamples(new Command('move'), [
    'MAYFLY_DATABASE=postgres://mayfly@db/mayfly mayfly move --from data/mayfly.db',
    'mayfly move --from data/mayfly.db --to postgres://mayfly@db/mayfly   the same again goes on after an interruption',
  ]))
    .requiredOption('--from <file>', 'the database in a file, on which no server runs; it stays as it is')
    .option('--to <url>', 'an empty database of a PostgreSQL server; default: that of MAYFLY_DATABASE')
    .action(move)
}

async function move(options: Options) {
  const from = checked('--from', options.from)
  if (isDatabaseUrl(from)) throw new CliError('--from: is a file. PostgreSQL databases are copied by pg_dump and pg_restore.')
  const to = options.to === undefined ? readConfig(process.env).database : targetOf(options.to)
  if (!isDatabaseUrl(to)) throw new CliError('--to: is needed, unless MAYFLY_DATABASE is a URL that begins with postgres://')
  const startedAt = performance.now()
  let reportedAt = startedAt
  const moving = withProgress('copying rows', (onProgress) => moveDatabase(from, to, systemClock, {
    signal: onInterrupt(),
    onProgress,
    onRows(table, count, isComplete) {
      if (options.json || onProgress || !isComplete && performance.now() - reportedAt < reportMs) return
      reportedAt = performance.now()
      if (count > 0) say(isComplete ? line`${table}: ${count} rows` : line`${table}: ${count} rows so far`)
    },
  }))
  const rows = await (options.to === undefined ? moving : moving.catch(nameTarget))
  const result = { from, to: databaseLabel(to), rows, durationMs: Math.round(performance.now() - startedAt) }
  print(options, result, ({ durationMs }) =>
    line`moved ${from} to ${result.to}: ${rows['emails'] ?? 0} emails, all rows compared, in ${(durationMs / 1000).toFixed(1)} s`)
  if (!options.json) say('Set MAYFLY_DATABASE to the new database for the server, which makes the index of its search again. Keep the file until then.')
}

/** The URL of `--to`, with the password of MAYFLY_DATABASE_PASSWORD_FILE if that is set. */
function targetOf(url: string): string {
  checked('--to', url)
  try {
    return readConfig({ ...process.env, MAYFLY_DATABASE: url }).database
  } catch (error) {
    return nameTarget(error)
  }
}

/** Lets an error name the option that the value is of. */
function nameTarget(error: unknown): never {
  const { message } = error as Error
  throw message.startsWith('MAYFLY_DATABASE: ') ? new CliError(message.replace('MAYFLY_DATABASE:', '--to:')) : error
}

function checked(option: string, value: string): string {
  try {
    return databasePath(value)
  } catch (error) {
    throw new CliError(`${option}: ${(error as Error).message}`)
  }
}
