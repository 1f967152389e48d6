import { Command } from 'commander'
import { systemClock } from '../../server/clock.ts'
import { readConfig } from '../../server/config/config.ts'
import { databasePath } from '../../server/config/database-path.ts'
import { databaseLabel, isDatabaseUrl } from '../../server/config/database-url.ts'
import { cancelMove, mayBeHeld, moveAccount } from '../../server/domain/account-move.ts'
import { refuseWithoutSources } from '../../server/domain/source-moves.ts'
import { openDatabase } from '../../server/store/database.ts'
import { inspectDatabase } from '../../server/store/inspect.ts'
import { moveDatabase } from '../../server/store/move/move.ts'
import { CliError } from '../cli-error.ts'
import { onInterrupt } from '../client/interrupt.ts'
import { withExamples, withJson } from '../client/options.ts'
import { withProgress } from '../client/progress.ts'
import { line, print, say } from '../output.ts'

interface Options {
  from: string
  to?: string
  account?: string
  cancel?: boolean
  json?: boolean
}

/** Milliseconds between two lines about a table. */
const reportMs = 5_000

export function moveCommand(): Command {
  return withJson(withExamples(new Command('move'), [
    'MAYFLY_DATABASE=postgres://mayfly@db/mayfly mayfly move --from data/mayfly.db',
    'mayfly move --from data/mayfly.db --to postgres://mayfly@db/mayfly   the same again goes on after an interruption',
    'mayfly move --account team@example.org --from postgres://mayfly@db-a/mayfly --to postgres://mayfly@db-b/mayfly',
  ]))
    .requiredOption('--from <database>', 'a file, on which no server runs, and which stays as it is; with --account the URL of a database')
    .option('--to <url>', 'an empty database of a PostgreSQL server, with --account one with servers; default: that of MAYFLY_DATABASE')
    .option('--account <id>', 'moves one account, by its id or e-mail address, while servers run')
    .option('--cancel', 'with --account: gives a move up that was interrupted')
    .action((options: Options) => options.account === undefined ? move(options) : moveOne(options, options.account))
}

async function moveOne(options: Options, account: string) {
  const [from, to] = [configured('--from', options.from), targetOf(options)]
  for (const [option, url] of [['--from', from], ['--to', to]] as const) {
    if (!isDatabaseUrl(url)) throw new CliError(`${option}: with --account it is a URL that begins with postgres://`)
    await refuseUnusable(option, url)
  }
  const { sources } = readConfig({ ...process.env, MAYFLY_DATABASE: from })
  const source = await openDatabase(from, systemClock, { migrate: false, sources })
  const target = await openDatabase(to, systemClock, { migrate: false })
  try {
    await refuseWithoutSources(source)
    const labels = { from: databaseLabel(from), to: databaseLabel(to) }
    if (options.cancel) {
      const { id, email } = await cancelMove({ source, target }, account, { onWait })
      return print(options, { id, email, ...labels }, (shown) => line`${shown.email} stays in ${labels.from}; ${labels.to} removes its copy`)
    }
    const signal = onInterrupt(() => say(`mayfly: ${mayBeHeld}`))
    const moved = await withProgress('copying mail', (onMessages) => moveAccount({ source, target }, account, { signal, onMessages, onWait }))
    print(options, { ...moved, ...labels, heldMs: Math.round(moved.heldMs) }, ({ email, heldMs }) =>
      line`moved ${email} to ${labels.to}: it was held for ${(heldMs / 1000).toFixed(1)} s; ${labels.from} removes its rows`)
  } finally {
    await source.close()
    await target.close()
  }
}

const onWait = () => say('Another move from this database runs: waiting for it.')

async function refuseUnusable(option: string, url: string) {
  const found = await inspectDatabase(url)
  const label = databaseLabel(url)
  if (found.kind === 'unreachable') throw new CliError(found.reason.replace('MAYFLY_DATABASE', option))
  if (found.kind !== 'server' || found.applied.length === 0) throw new CliError(`${option}: ${label} has no data of Mayfly. Start a server on it first.`)
  if (found.newer) throw new CliError(`${option}: ${label} ${found.newer}. Use that version.`)
  if (found.missing.length > 0) throw new CliError(`${option}: ${label} is of an older version. Bring it up to date first: mayfly migrate`)
}

async function move(options: Options) {
  const from = checked('--from', options.from)
  if (isDatabaseUrl(from)) throw new CliError('--from: is a file, unless --account names an account. Whole PostgreSQL databases are copied by pg_dump and pg_restore.')
  if (options.cancel) throw new CliError('--cancel: needs --account')
  const to = targetOf(options)
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

const targetOf = ({ to }: Options): string => to === undefined ? readConfig(process.env).database : configured('--to', to)

/** The database of an option, with the password of MAYFLY_DATABASE_PASSWORD_FILE if that is set. */
function configured(option: string, database: string): string {
  checked(option, database)
  try {
    return readConfig({ ...process.env, MAYFLY_DATABASE: database }).database
  } catch (error) {
    return nameOption(option, error)
  }
}

const nameTarget = (error: unknown): never => nameOption('--to', error)

/** Lets an error name the option that the value is of. */
function nameOption(option: string, error: unknown): never {
  const { message } = error as Error
  throw message.startsWith('MAYFLY_DATABASE: ') ? new CliError(message.replace('MAYFLY_DATABASE:', `${option}:`)) : error
}

function checked(option: string, value: string): string {
  try {
    return databasePath(value)
  } catch (error) {
    throw new CliError(`${option}: ${(error as Error).message}`)
  }
}
