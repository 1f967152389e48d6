import { Command, InvalidArgumentError } from 'commander'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { limitOption, urlOption, withExamples, withJson } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { printFirst, printRows, print, tableOrBlocks } from '../output.ts'

/** The options of a command without subcommands, as `clientCommand` adds them. */
const reportCommand = (name: string, examples: string[]) => withJson(withExamples(new Command(name), examples).addOption(urlOption()))

export function analyticsCommand(): Command {
  return reportCommand('analytics', ['mayfly analytics', 'mayfly analytics --days 7'])
    .option('--days <number>', 'the mail of each of the last days, today included, at most 366, in place of the counters', readDays)
    .action((options: ClientOptions & { days?: number }) => asClient(options, (client) => analytics(client, options)))
}

export function auditCommand(): Command {
  return reportCommand('audit', ['mayfly audit', "mayfly audit --limit 100 --json | jq -r '.[] | select(.status >= 400).action'"])
    .addOption(limitOption())
    .action((options: ClientOptions & { limit: number }) => asClient(options, (client) => audit(client, options)))
}

async function analytics({ mayfly, signal }: Client, { days, ...options }: ClientOptions & { days?: number }) {
  if (days === undefined) return print(options, await mayfly.analytics.get({ signal }), (counters) => tableOrBlocks(['COUNTER', 'VALUE'], [
    ['addresses', String(counters.totalAddresses)],
    ['addresses that receive mail', String(counters.activeAddresses)],
    ['emails received', String(counters.totalEmailsReceived)],
    ['emails sent', String(counters.totalEmailsSent)],
    ['emails received this month', String(counters.thisMonthReceived)],
    ['emails sent this month', String(counters.thisMonthSent)],
  ]))
  const rows = await mayfly.analytics.daily({ days }, { signal })
  printRows(options, rows, ['DAY', 'RECEIVED', 'SENT'], ({ day, received, sent }) => [day.toISOString().slice(0, 10), String(received), String(sent)])
}

async function audit({ mayfly, signal }: Client, options: ClientOptions & { limit: number }) {
  const { limit } = options
  const records = await takeFirst(mayfly.auditLogs.list({ limit: pageSize(limit) }, { signal }), limit)
  printFirst(options, records, ['TIME', 'ACTION', 'STATUS', 'CALLS', 'FROM', 'RESOURCE', 'KEY'], (record) => [
    record.createdAt.toISOString(), record.action, String(record.status), String(record.count), record.ipAddress,
    record.resourceId ?? '', record.apiKeyId ?? '',
  ])
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number of days.')
}
