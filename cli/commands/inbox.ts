import { Command, InvalidArgumentError, Option } from 'commander'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { findAddress } from '../client/find-address.ts'
import { clientCommand, isIdPart, limitOption, minPermanentPart, parseDuration, RequestOption, which, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { sender } from '../client/show-email.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { waitForValue } from '../client/wait-for-value.ts'
import type { WaitOptions } from '../client/wait-for-value.ts'
import { watchInbox } from '../client/watch-inbox.ts'
import { printFirst } from '../output.ts'

export function inboxCommands(): Command {
  const inbox = new Command('inbox')

  clientCommand(inbox, 'wait', 'Waits for a mail and prints its code, or else its first link, and nothing else on stdout. Mail that arrived '
    + 'before the call counts too, oldest first, unless --after excludes it. The exit code is 2 at the timeout.', [
    'CODE=$(mayfly inbox wait $ADDRESS)                   in a script',
    'mayfly inbox wait checkout --link --subject confirm --timeout 2m',
    'mayfly inbox wait checkout --after now               only mail that arrives from now on',
    'mayfly inbox wait checkout --json | jq -r .subject   the whole mail',
  ])
    .argument('<address>', which)
    .option('--code', 'wait for a mail with a code, and print the code')
    .addOption(new Option('--link', 'wait for a mail with a link, and print the link').conflicts('code'))
    .option('--subject <text>', 'only mail whose subject has this text, in any case')
    .option('--from <text>', 'only mail whose sender, address or name, has this text, in any case')
    .option('--to <recipient>', 'only mail with this recipient in its envelope: an address, *@domain, or a part of one')
    .addOption(new Option('--timeout <time>', 'the timeout: 30s, 2m, or a number of seconds').argParser(parseDuration).default(30, '30s'))
    .addOption(new Option('--after <moment>', 'only mail that arrived later: than "now", the id of an email, or a time').argParser(parseMoment))
    .action((wanted: string, options: WaitOptions) => asClient(options, (client) => waitForValue(client, wanted, options)))

  clientCommand(inbox, 'watch', 'Shows mail when it arrives, with its code and its first link, until Ctrl-C.', [
    'mayfly inbox watch checkout',
    "mayfly inbox watch checkout --json | jq -r '.codes[0]'   one JSON document per line",
  ])
    .argument('<address>', which)
    .action((wanted: string, options: ClientOptions) => asClient(options, (client) => watchInbox(client, wanted, options)))

  clientCommand(inbox, 'list', 'Lists the mail of an address, newest first.', [
    'mayfly inbox list checkout',
    "mayfly inbox list checkout --search invoice --json | jq -r '.[].id'",
  ])
    .argument('<address>', which)
    .addOption(new RequestOption('--search <words>', 'only mail with these words').sets('q'))
    .addOption(limitOption())
    .addOption(wideOption())
    .action((wanted: string, options: ListOptions) => asClient(options, (client) => list(client, wanted, options)))

  return inbox
}

interface ListOptions extends ClientOptions {
  search?: string
  limit: number
}

async function list(client: Client, wanted: string, options: ListOptions) {
  const { id: addressId } = await findAddress(client, wanted)
  const { search: q, limit } = options
  const emails = client.mayfly.emails.list({ addressId, q, limit: pageSize(limit) }, { signal: client.signal })
  printFirst(options, await takeFirst(emails, limit), ['ID', 'RECEIVED', 'FROM', 'SUBJECT', 'FILES'], (email) =>
    [{ id: email.id }, email.receivedAt, sender(email), email.subject, email.hasAttachments ? 'yes' : ''])
}

function parseMoment(text: string) {
  if (text === 'now') return text
  const time = new Date(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time
  if (isIdPart(text) && text.length >= minPermanentPart) return text
  throw new InvalidArgumentError('It takes "now", the id of an email or 8 characters of it, or a time such as 2026-03-14T09:00:00Z.')
}
