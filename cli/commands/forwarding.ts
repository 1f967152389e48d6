import type { ForwardingRule } from '@mayfly-mail/sdk'
import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { findAddress } from '../client/find-address.ts'
import { clientCommand, limitOption, RequestOption, which, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { findForwarding } from '../client/resources.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { join, line, print, printFirst } from '../output.ts'

const listCommand = 'mayfly forwarding list'
const person = ['<email>', 'the personal address, or its id, or a beginning or end of that'] as const

interface RuleOptions extends ClientOptions {
  to?: string
  sender?: string
  subject?: string
}

export function forwardingCommands(): Command {
  const forwarding = new Command('forwarding')

  clientCommand(forwarding, 'add', 'Adds a personal address, and sends it a verification mail with a link.', ['mayfly forwarding add ada@example.com'])
    .argument('<email>', 'the address to forward to, once it is verified')
    .action((email: string, options: ClientOptions) => asClient(options, async ({ mayfly, signal }) => {
      print(options, await mayfly.forwardingAddresses.create({ email }, { signal }), (added) =>
        line`${added.email} has to follow the link in the mail that was sent to it (${added.id})`)
    }))

  clientCommand(forwarding, 'list', 'Lists the personal addresses, newest first.', ['mayfly forwarding list'])
    .addOption(limitOption())
    .addOption(wideOption())
    .action((options: ClientOptions & { limit: number }) => asClient(options, (client) => list(client, options)))

  clientCommand(forwarding, 'verify', 'Sends the verification mail again, with a new link.', ['mayfly forwarding verify ada@example.com'])
    .argument(...person)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const { id, email } = await findForwarding(client, wanted)
      const { message } = await client.mayfly.forwardingAddresses.resendVerification(id, { signal: client.signal })
      print(options, { id, email, message }, () => line`${message}`)
    }, listCommand))

  clientCommand(forwarding, 'delete', 'Removes a personal address, and the rules that use it.', ['mayfly forwarding delete ada@example.com'])
    .argument(...person)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const { id, email } = await findForwarding(client, wanted, { isPermanent: true })
      await client.mayfly.forwardingAddresses.delete(id, { signal: client.signal })
      print(options, { id, email, deleted: true }, () => line`deleted ${email} (${id})`)
    }, listCommand))

  clientCommand(forwarding, 'set', 'Forwards the mail of an address, or changes how.', [
    'mayfly forwarding set checkout --to ada@example.com',
    'mayfly forwarding set checkout --sender @shop.example --subject invoice',
  ])
    .argument('<address>', which)
    .addOption(new RequestOption('--to <email>', 'a verified personal address, or its id; needed once').sets('forwardToId'))
    .addOption(new RequestOption('--sender <text>', 'only mail of this sender: @domain, an address, or text in address or name; "" removes the filter').sets('filterSender'))
    .addOption(new RequestOption('--subject <text>', 'only mail whose subject has this text; "" removes the filter').sets('filterSubject'))
    .action((address: string, options: RuleOptions) => asClient(options, (client) => setRule(client, address, options), listCommand))

  clientCommand(forwarding, 'show', 'Shows where the mail of an address is forwarded.', ['mayfly forwarding show checkout'])
    .argument('<address>', which)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const { id, address } = await findAddress(client, wanted)
      print(options, await client.mayfly.forwardingRules.get(id, { signal: client.signal }), (rule) => shown(address, rule))
    }))

  clientCommand(forwarding, 'off', 'Ends the forwarding of an address. Its filters are kept.', ['mayfly forwarding off checkout'])
    .argument('<address>', which)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const { id, address } = await findAddress(client, wanted)
      const rule = await client.mayfly.forwardingRules.update(id, { isActive: false }, { signal: client.signal })
      print(options, rule, (rule) => shown(address, rule))
    }))

  return forwarding
}

async function list({ mayfly, signal }: Client, options: ClientOptions & { limit: number }) {
  const { limit } = options
  const found = await takeFirst(mayfly.forwardingAddresses.list({ limit: pageSize(limit) }, { signal }), limit)
  printFirst(options, found, ['EMAIL', 'VERIFIED', 'CREATED', 'ID'],
    ({ email, verifiedAt, createdAt, id }) => [email, verifiedAt ?? 'no', createdAt, { id }])
}

async function setRule(client: Client, wanted: string, options: RuleOptions) {
  const { to, sender: filterSender, subject: filterSubject } = options
  if (to === undefined && filterSender === undefined && filterSubject === undefined) {
    throw new CliError('Nothing changes: give --to, --sender or --subject.')
  }
  const forwardToId = to === undefined ? undefined : (await findForwarding(client, to)).id
  const { id, address } = await findAddress(client, wanted)
  const rule = await client.mayfly.forwardingRules.update(id, { forwardToId, filterSender, filterSubject }, { signal: client.signal })
  print(options, rule, (rule) => shown(address, rule))
}

const shown = (address: string, { isActive, forwardToEmail, filterSender, filterSubject }: ForwardingRule) => join([
  isActive ? line`${address} is forwarded to ${forwardToEmail ?? ''}` : line`${address} is not forwarded`,
  ...filterSender === null ? [] : [line`only mail of the sender ${filterSender}`],
  ...filterSubject === null ? [] : [line`only mail whose subject has ${filterSubject}`],
], '\n')
