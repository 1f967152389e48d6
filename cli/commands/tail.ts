import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { Command, Option } from 'commander'
import { maxReaders, tailSocketOf } from '../../server/tail.ts'
import type { TailGreeting, TailLine } from '../../server/tail.ts'
import { CliError } from '../cli-error.ts'
import { onInterrupt } from '../client/interrupt.ts'
import { withExamples, withJson } from '../client/options.ts'
import { showActivity } from '../client/show-activity.ts'
import { print, say } from '../output.ts'
import { onlyFile } from '../with-database.ts'

interface Filters {
  kind?: TailLine['kind'][]
  refused?: boolean
  address?: string
}

const kinds = ['accepted', 'refused', 'delivered', 'webhook'] satisfies TailLine['kind'][]

export function tailCommand(): Command {
  return withJson(withExamples(new Command('tail'), [
    'mayfly tail',
    'mayfly tail --refused                                 why mail does not arrive',
    'mayfly tail --address checkout --kind accepted delivered',
    "mayfly tail --json | jq -r 'select(.kind == \"webhook\") | .reason'   one JSON document per line",
  ]))
    .addOption(new Option('--kind <kind...>', 'only these kinds').choices(kinds))
    .option('--refused', 'only refused mail, and deliveries that were refused, deferred or failed')
    .option('--address <address>', 'only mail of this sender or recipient: the address, or the part before its @')
    .action(follow)
}

const wayOut = 'Each node of a PostgreSQL database writes these events to its log as lines of JSON, with domains in place of addresses.'

/** Prints what the server of the database does, until Ctrl-C or its end. */
async function follow(options: Filters & { json?: boolean }) {
  const database = onlyFile(wayOut)
  const socket = connect(tailSocketOf(database))
  await once(socket, 'connect').catch(explain(database))
  const signal = onInterrupt()
  const lines = createInterface(socket)
  signal.addEventListener('abort', () => socket.destroy())
  socket.on('error', () => {}).once('close', () => lines.close()) // a connection that is broken off has no end
  if (!options.json) say('Following the server. Ctrl-C ends this.')
  for await (const text of lines) {
    const event = JSON.parse(text) as TailLine | TailGreeting
    if (!('baseUrl' in event) && isWanted(event, options)) print(options, event, showActivity)
  }
  signal.throwIfAborted()
  throw new CliError(`The connection has ended: the server was stopped, or it has ${maxReaders} readers, or this one was too slow.`)
}

const explain = (database: string) => ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    throw new CliError(`MAYFLY_DATABASE: no server runs on ${database}. Run this in the folder of the server, with its variables.`)
  }
  if (code === 'EACCES') throw new CliError(`MAYFLY_DATABASE: only the user that runs the server on ${database} may follow it.`)
  throw new CliError(message)
}

function isWanted(event: TailLine, { kind, refused, address }: Filters): boolean {
  if (event.kind === 'left-out') return !kind || kind.includes('refused') // the refusals that are left out may be those that are wanted
  if (kind && !kind.some((wanted) => wanted === event.kind)) return false
  if (refused && !isFailure(event)) return false
  return address === undefined || addressesOf(event).some((found) => isSame(found.toLowerCase(), address.toLowerCase()))
}

const isFailure = (event: TailLine) =>
  event.kind === 'refused' || ['refused', 'deferred', 'failed'].includes('outcome' in event ? String(event.outcome) : '')

const addressesOf = (event: TailLine) =>
  'addresses' in event ? 'from' in event ? [event.from, ...event.addresses] : event.addresses : []

/** @param wanted with or without a domain; mail to `alias+tag@domain` is mail to `alias@domain` */
function isSame(found: string, wanted: string) {
  const untagged = found.replace(/\+[^@]*(?=@)/, '')
  return [found, untagged].some((address) => address === wanted || !wanted.includes('@') && address.startsWith(`${wanted}@`))
}
