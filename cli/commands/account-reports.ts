import { Command, InvalidArgumentError, Option } from 'commander'
import type { AuditLogListQuery } from '@mayfly-mail/sdk'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { limitOption, urlOption, wideOption, withExamples, withJson } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { printFirst, printRows, print, tableOrBlocks } from '../output.ts'

type AuditOptions = ClientOptions & Pick<AuditLogListQuery, 'action' | 'result' | 'caller' | 'since' | 'until'> & {
  limit: number
  changes?: true
  resource?: string
}

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
    .option('--action <operation>', 'only calls of this operation, or of all that begin with this name, such as "emails"')
    .option('--changes', 'only calls that change something')
    .addOption(new Option('--result <result>', 'only calls with this result').choices(['succeeded', 'refused', 'failed']))
    .option('--resource <id>', 'only calls for the address, email or other resource of this id')
    .option('--caller <id>', 'only calls with the key of this id, or "session" for those of the dashboard')
    .option('--since <time>', 'only calls that ended at this time (ISO 8601) or later', readTime)
    .option('--until <time>', 'only calls that ended before this time', readTime)
    .addOption(wideOption())
    .action((options: AuditOptions) => asClient(options, (client) => audit(client, options)))
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

async function audit({ mayfly, signal }: Client, options: AuditOptions) {
  const { limit, action, changes, result, resource, caller, since, until } = options
  const filter = { action, isChange: changes, result, resourceId: resource, caller, since, until }
  const records = await takeFirst(mayfly.auditLogs.list({ limit: pageSize(limit), ...filter }, { signal }), limit)
  printFirst(options, records, ['TIME', 'ACTION', 'STATUS', 'CALLS', 'FROM', 'RESOURCE', 'KEY'], (record) => [
    record.createdAt, record.action, String(record.status), String(record.count), record.ipAddress,
    { id: record.resourceId ?? '' }, { id: record.apiKeyId ?? '' },
  ])
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('It takes a time such as 2026-03-14T09:00:00Z.')
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number of days.')
}
