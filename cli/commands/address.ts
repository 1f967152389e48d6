import type { Address, SmtpActivity, SmtpFault, SmtpFaults, SmtpFaultStep, SmtpLogin } from '@mayfly-mail/sdk'
import { Command, InvalidArgumentError, Option } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { findAddress } from '../client/find-address.ts'
import { clientCommand, limitOption, parseDuration, RequestOption, wholeNumber, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { fullText, join, line, print, printFirst, say, tableOrBlocks } from '../output.ts'
import type { Cell } from '../output.ts'

interface CreateOptions extends ClientOptions {
  alias?: string
  domain?: string
  expiresIn?: number
  smtpLogin?: boolean
  maxEmails?: number
  allowSender?: string[]
  blockSender?: string[]
}

type UpdateOptions = ClientOptions & Pick<CreateOptions, 'allowSender' | 'blockSender'>

interface LoginOptions extends ClientOptions {
  end?: boolean
}

interface FaultOptions extends ClientOptions {
  set?: SmtpFaultStep[]
  clear?: boolean
}

interface LimitOptions extends ClientOptions {
  limit: number
}

interface ListOptions extends ClientOptions {
  status?: 'active' | 'expired'
  limit: number
}

export function addressCommands(): Command {
  const address = new Command('address')

  clientCommand(address, 'create', 'Issues an address, and prints it.', [
    'mayfly address create',
    'mayfly address create --alias checkout --expires-in 10m',
    'ADDRESS=$(mayfly address create)                     in a script',
    'mayfly address create --smtp-login                   prints SMTP_URL=… as well, for a program that sends mail',
    'mayfly address create --allow-sender @github.com',
  ])
    .option('--alias <name>', 'the part before the @; default: random, and not guessable')
    .option('--domain <domain>', "a verified custom domain; default: the server's own")
    .addOption(new RequestOption('--expires-in <time>', 'the lifetime: 10m, 1h, 7d, or a number of seconds; default: the maximum of the plan')
      .inSeconds().argParser(wholeSeconds))
    .option('--smtp-login', 'with an SMTP login: whatever a program sends with it arrives in the address')
    .addOption(new RequestOption('--max-emails <number>', 'how many received emails it keeps: of more, the oldest are removed').argParser(wholeNumber(1_000_000)))
    .addOption(allowOption('only mail of these senders'))
    .addOption(blockOption('no mail of these senders'))
    .action((options: CreateOptions) => asClient(options, (client) => create(client, options)))

  clientCommand(address, 'list', 'Lists your addresses, newest first.', [
    'mayfly address list --status active',
    "mayfly address list --json | jq -r '.[].address'",
  ])
    .addOption(new Option('--status <status>', 'only addresses in this state').choices(['active', 'expired']))
    .addOption(limitOption())
    .addOption(wideOption())
    .action((options: ListOptions) => asClient(options, (client) => list(client, options)))

  clientCommand(address, 'show', 'Shows an address: its state, its end, and how many emails it has.', [
    'mayfly address show checkout',
    'mayfly address show 019ceb92-ea80-752e-bca9-6513269e0d37 --json',
  ])
    .argument('<address>', 'the address, the part before its @, or its id')
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      print(options, await findAddress(client, wanted), (found) => {
        const table = tableOrBlocks(head, [rowOf(found).map(fullText)], 1)
        return found.allowedSenders.length + found.blockedSenders.length > 0 ? join([table, takenMail(found)], '\n') : table
      })
    }))

  clientCommand(address, 'update', 'Changes whose mail an address takes: each option replaces a list.', [
    "mayfly address update checkout --allow-sender @shop.example '@*.shop.example' --block-sender news@shop.example",
    'mayfly address update checkout --allow-sender ""     all senders again',
  ])
    .argument('<address>', 'the address, the part before its @, or its id')
    .addOption(allowOption('only mail of these senders: an address, @domain, or @*.domain for its subdomains; "" for all'))
    .addOption(blockOption('no mail of these senders; "" for none'))
    .action((wanted: string, options: UpdateOptions) => asClient(options, (client) => update(client, wanted, options)))

  clientCommand(address, 'smtp-login', 'Makes or replaces the SMTP login of an address, and prints it as a URL: whatever a program sends with it arrives there.', [
    'mayfly address smtp-login shop',
    'mayfly address smtp-login shop --end   ends it',
  ])
    .argument('<address>', 'the address, the part before its @, or its id')
    .option('--end', 'end the login; the mail stays')
    .action((wanted: string, options: LoginOptions) => asClient(options, (client) => login(client, wanted, options)))

  clientCommand(address, 'activity', 'Lists what SMTP clients tried at an address, and how it was answered, newest first.', [
    'mayfly address activity shop --limit 5',
  ])
    .argument('<address>', 'the address, the part before its @, or its id')
    .addOption(limitOption())
    .addOption(wideOption())
    .action((wanted: string, options: LimitOptions) => asClient(options, (client) => activity(client, wanted, options)))

  clientCommand(address, 'smtp-faults', 'Shows, sets or ends the faults that SMTP has on purpose for an address, to test how an app copes with them.', [
    'mayfly address smtp-faults shop',
    `mayfly address smtp-faults shop --set '[{ "at": "rcpt", "code": 451, "times": 2 }]'`,
    'mayfly address smtp-faults shop --clear',
  ])
    .argument('<address>', 'the address, the part before its @, or its id')
    .addOption(new RequestOption('--set <steps>', 'the steps as JSON, at most 50, in place of those that are left').argParser(parseSteps).conflicts('clear'))
    .option('--clear', 'end all faults')
    .action((wanted: string, options: FaultOptions) => asClient(options, (client) => faults(client, wanted, options)))

  clientCommand(address, 'delete', 'Deletes an address and all its mail, permanently.', [
    'mayfly address delete checkout@mail.localhost',
    'mayfly address delete 019ceb92-ea80-752e-bca9-6513269e0d37',
  ])
    .argument('<address>', 'the address, the part before its @, or its whole id')
    .action((wanted: string, options: ClientOptions) => asClient(options, (client) => remove(client, wanted, options)))

  return address
}

async function create({ mayfly, signal }: Client, options: CreateOptions) {
  const { alias, domain, expiresIn, smtpLogin, maxEmails } = options
  const input = { alias, domain, expiresIn, smtpLogin, maxEmails, ...sendersOf(options) }
  const created = await mayfly.addresses.create(input, { signal })
  print(options, created, ({ address, smtp }) => smtp ? join([line`${address}`, urlLine(smtp)], '\n') : line`${address}`)
  if (!options.json && process.stdout.isTTY) say(`It receives mail until ${created.expiresAt.toISOString()}.`)
}

const allowOption = (does: string) => new RequestOption('--allow-sender <sender...>', does).sets('allowedSenders')
const blockOption = (does: string) => new RequestOption('--block-sender <sender...>', does).sets('blockedSenders')

/** The lists that options give; an empty text removes a list. */
const sendersOf = ({ allowSender, blockSender }: UpdateOptions) =>
  ({ allowedSenders: allowSender?.filter(Boolean), blockedSenders: blockSender?.filter(Boolean) })

async function update(client: Client, wanted: string, options: UpdateOptions) {
  const lists = sendersOf(options)
  if (!lists.allowedSenders && !lists.blockedSenders) throw new CliError('Nothing changes: give --allow-sender or --block-sender.')
  const { id } = await findAddress(client, wanted)
  const updated = await client.mayfly.addresses.update(id, lists, { signal: client.signal })
  print(options, updated, takenMail)
}

function takenMail({ address, allowedSenders, blockedSenders }: Address) {
  const allowed = allowedSenders.length > 0 ? `${allowedSenders.join(', ')} alone` : 'all senders'
  return line`${address} takes mail of ${allowed}${blockedSenders.length > 0 ? `, not of ${blockedSenders.join(', ')}` : ''}`
}

const urlLine = ({ url }: SmtpLogin) => line`SMTP_URL=${url ?? ''}`

async function login(client: Client, wanted: string, options: LoginOptions) {
  const { mayfly, signal } = client
  const { id, address } = await findAddress(client, wanted)
  if (options.end) {
    await mayfly.addresses.deleteSmtpLogin(id, { signal })
    return print(options, { id, address, ended: true }, () => line`the SMTP login of ${address} has ended`)
  }
  print(options, await mayfly.addresses.createSmtpLogin(id, { signal }), urlLine)
}

async function faults({ mayfly, signal, ...client }: Client, wanted: string, options: FaultOptions) {
  const { id, address } = await findAddress({ mayfly, signal, ...client }, wanted)
  if (options.clear) {
    await mayfly.addresses.clearSmtpFaults(id, { signal })
    return print(options, { id, address, cleared: true }, () => line`${address} has no SMTP faults any more`)
  }
  const { set } = options
  const found = await (set ? mayfly.addresses.setSmtpFaults(id, set, { signal }) : mayfly.addresses.getSmtpFaults(id, { signal }))
  print(options, found, ({ steps }: SmtpFaults) => steps.length === 0
    ? line`${address} has no SMTP faults`
    : tableOrBlocks(['AT', 'FAULT', 'TIMES'], steps.map(toFaultRow)))
}

const toFaultRow = ({ at, code, enhanced, text, delayMs, drop, kind, times }: SmtpFault) => [
  at, [kind, delayMs !== undefined && `delay ${delayMs} ms`, drop && 'drop', code, enhanced, text].filter(Boolean).join(' '), String(times ?? ''),
]

function parseSteps(text: string): SmtpFaultStep[] {
  try {
    const steps: unknown = JSON.parse(text)
    if (Array.isArray(steps)) return steps
  } catch {
    // as text that is no array
  }
  throw new InvalidArgumentError('It must be a JSON array of steps, such as [{ "at": "rcpt", "code": 451 }].')
}

async function activity(client: Client, wanted: string, options: LimitOptions) {
  const { mayfly, signal } = client
  const { id } = await findAddress(client, wanted)
  const tries = await takeFirst(mayfly.addresses.activity(id, { limit: pageSize(options.limit) }, { signal }), options.limit)
  printFirst(options, tries, ['TIME', 'STAGE', 'REPLY', 'FROM', 'TO', 'CLIENT', 'EMAIL'], toActivityRow)
}

const toActivityRow = (
  { createdAt, stage, code, enhancedCode, text, from, recipients, recipientsTotal, client, emailId }: SmtpActivity,
): Cell[] => [
  createdAt, stage, [code ?? 'none', enhancedCode, text].filter(Boolean).join(' '), from || '<>',
  recipients.join(' ') + (recipientsTotal > recipients.length ? ` and ${recipientsTotal - recipients.length} more` : ''),
  client ? `${client.address} ${client.helo}` : '', { id: emailId ?? '' },
]

async function list({ mayfly, signal }: Client, options: ListOptions) {
  const { status, limit } = options
  const addresses = await takeFirst(mayfly.addresses.list({ status, limit: pageSize(limit) }, { signal }), limit)
  printFirst(options, addresses, head, rowOf)
}

const head = ['ADDRESS', 'STATUS', 'EXPIRES', 'EMAILS', 'LAST EMAIL', 'ID']

const rowOf = ({ address, isActive, expiresAt, emailCount, lastEmailAt, id }: Address): Cell[] =>
  [address, isActive ? 'active' : 'expired', expiresAt, String(emailCount), lastEmailAt ?? '', { id }]

async function remove(client: Client, wanted: string, options: ClientOptions) {
  const { id, address } = await findAddress(client, wanted, { byIdPart: false })
  await client.mayfly.addresses.delete(id, { signal: client.signal })
  print(options, { id, address, deleted: true }, () => line`deleted ${address} (${id})`)
}

function wholeSeconds(text: string) {
  const seconds = parseDuration(text)
  if (!Number.isInteger(seconds)) throw new InvalidArgumentError('It must be whole seconds.')
  return seconds
}
