import type { EmailReport } from '@mayfly-mail/sdk'
import { Argument, Command, Option } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { findAddress } from '../client/find-address.ts'
import { clientCommand, limitOption, parseId, parsePermanentId, RequestOption, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { emailId, findForwarding } from '../client/resources.ts'
import { saveFile } from '../client/save-file.ts'
import { attachOption, ccOption, htmlOption, reply, send } from '../client/send-mail.ts'
import type { ReplyOptions, SendOptions } from '../client/send-mail.ts'
import { checkRows } from '../client/show-checks.ts'
import { sender, showEmail } from '../client/show-email.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { line, print, printFirst, printSource, say, tableOrBlocks } from '../output.ts'

interface BounceOptions extends ClientOptions {
  status?: string
  text?: string
}

interface ChecksOptions extends ClientOptions {
  links?: boolean
}

interface ForwardOptions extends ClientOptions {
  to: string
}

interface ListOptions extends ClientOptions {
  address?: string
  type?: 'received' | 'sent'
  search?: string
  thread?: string
  deleted?: boolean
  after?: string
  limit: number
}

interface ChangeAllOptions extends ClientOptions {
  address?: string
  search?: string
  all?: boolean
}

interface UpdateOptions extends ClientOptions {
  read?: boolean
  unread?: boolean
  star?: boolean
  unstar?: boolean
}

const listCommand = 'mayfly email list'
const id = ['<id>', `id of the email, as "${listCommand}" shows it, or its beginning or end`, parseId] as const
const permanentId = [id[0], id[1], parsePermanentId] as const

export function emailCommands(): Command {
  const email = new Command('email')

  clientCommand(email, 'list', 'Lists the mail of all addresses, or of one, newest first.', [
    'mayfly email list --limit 5',
    `mayfly email list --search 'from:shop "your code" is:unread after:2026-11-01'`,
    "mayfly email list --address checkout --json | jq -r '.[].subject'",
  ])
    .option('--address <address>', 'only mail of this address, the part before its @, or its id')
    .addOption(new Option('--type <type>', 'only mail that was received, or sent').choices(['received', 'sent']))
    .addOption(new RequestOption('--search <query>', 'only mail with these words, and from: to: subject: has: is: before: after: larger: -word').sets('q'))
    .option('--thread <id>', 'only mail of the thread of the email with this id, or its beginning or end', parseId)
    .option('--deleted', 'the mail that was deleted, in place of the other')
    .addOption(new Option('--after <id>', 'only mail that arrived after the one with this id, or its beginning or end').argParser(parseId))
    .addOption(limitOption())
    .addOption(wideOption())
    .action((options: ListOptions) => asClient(options, (client) => list(client, options)))

  clientCommand(email, 'show', 'Shows an email: sender, codes, links, attachments, text.', [
    'mayfly email show 019ceb98-68c0-76ca-83c8-90c1d3ac94af',
    'mayfly email show 019ceb98-68c0-76ca-83c8-90c1d3ac94af --json | jq .headers',
  ])
    .argument(...id)
    .action((id: string, options: ClientOptions) => asClient(options, async (client) => {
      const { mayfly, signal } = client
      const email = await mayfly.emails.get(await emailId(client, id), { signal })
      const text = options.json ? '' : await showEmail(email)
      print(options, email, () => text)
    }, listCommand))

  clientCommand(email, 'checks', 'Checks an email: mail clients, images, size, text part, List-Unsubscribe, SPF, DKIM, DMARC, links.', [
    'mayfly email checks 94af',
    'mayfly email checks 94af --links --json | jq .links.result',
  ])
    .argument(...id)
    .option('--links', 'request each link too, which can use up one that works once')
    .action((wanted: string, { links, ...options }: ChecksOptions) => asClient(options, async (client) => {
      const { mayfly, signal } = client
      const checks = await mayfly.emails.checks(await emailId(client, wanted), { links }, { signal })
      print(options, checks, () => tableOrBlocks(['CHECK', 'RESULT', 'DETAILS'], checkRows(checks)))
    }, listCommand))

  clientCommand(email, 'raw', 'Writes the source of an email to stdout, byte for byte; on a terminal without control characters.', [
    'mayfly email raw 019ceb98-68c0-76ca-83c8-90c1d3ac94af > mail.eml',
  ])
    .argument(...id)
    .action((id: string, options: ClientOptions) => asClient(options, (client) => raw(client, id, options), listCommand))

  clientCommand(email, 'save-attachments', 'Saves the attachments of an email, and prints their paths. It never overwrites a file.', [
    'mayfly email save-attachments 019ceb98-68c0-76ca-83c8-90c1d3ac94af --to files',
  ])
    .argument(...id)
    .option('--to <folder>', 'the folder to save them in; created if missing', '.')
    .action((id: string, options: ClientOptions & { to: string }) =>
      asClient(options, (client) => saveAttachments(client, id, options), listCommand))

  clientCommand(email, 'send', 'Sends an email from an address of yours, and prints its id.', [
    'mayfly email send --from checkout --to support@shop.example --subject "Where is it?" --text "Order 1042."',
    'mayfly email send --from checkout --to support@shop.example --subject Report --attach report.pdf < letter.txt',
    'mayfly email send --from checkout --to support@shop.example --subject Report --html report.html',
  ])
    .addOption(new RequestOption('--from <address>', 'an active address of yours, the part before its @, or its id')
      .sets('fromAddressId').makeOptionMandatory())
    .requiredOption('--to <address>', 'exactly one recipient')
    .requiredOption('--subject <text>', 'one line')
    .option('--text <text>', 'the text; default: that of the HTML, else stdin')
    .addOption(htmlOption())
    .addOption(ccOption())
    .addOption(attachOption())
    .action((options: SendOptions) => asClient(options, (client) => send(client, options)))

  clientCommand(email, 'reply', 'Answers an email from its address, in its thread, and prints the id of the answer.', [
    'mayfly email reply 94af --text "Thank you."',
    'mayfly email reply 94af --cc ada@example.com --attach invoice.pdf < letter.txt',
  ])
    .argument(...id)
    .option('--text <text>', 'the text; default: that of the HTML, else stdin')
    .addOption(htmlOption())
    .option('--to <address>', 'exactly one recipient; default: the Reply-To or sender of the email')
    .option('--subject <text>', 'one line; default: the subject of the email after "Re:"')
    .addOption(new RequestOption('--from <address>', 'another active address of yours than that of the email').sets('fromAddressId'))
    .addOption(ccOption())
    .addOption(attachOption())
    .action((id: string, options: ReplyOptions) => asClient(options, (client) => reply(client, id, options), listCommand))

  clientCommand(email, 'update', 'Marks an email as read or starred, or removes the marks.', [
    'mayfly email update 019ceb98-68c0-76ca-83c8-90c1d3ac94af --read --star',
    'mayfly email update 94af --unread',
  ])
    .argument(...id)
    .option('--read', 'it is read')
    .addOption(new Option('--unread', 'it is not read').conflicts('read'))
    .option('--star', 'it has a star')
    .addOption(new Option('--unstar', 'it has no star').conflicts('star'))
    .action((id: string, options: UpdateOptions) => asClient(options, (client) => update(client, id, options), listCommand))

  clientCommand(email, 'bounce', 'Reports to the sender of a received email that it could not be delivered. The report does not leave the server.', [
    'mayfly email bounce 94af',
    'mayfly email bounce 94af --status 5.2.2 --text "The mailbox is full"',
  ])
    .argument(...id)
    .option('--status <code>', 'the enhanced status code; default: 5.1.1')
    .option('--text <text>', 'the reason, in printable ASCII characters; default: The mailbox does not exist')
    .action((wanted: string, { status, text, ...options }: BounceOptions) => asClient(options, async (client) => {
      const { mayfly, signal } = client
      print(options, await mayfly.emails.bounce(await emailId(client, wanted), { status, text }, { signal }), reportLine)
    }, listCommand))

  clientCommand(email, 'complain', 'Reports a received email as spam to its sender. The report does not leave the server.', [
    'mayfly email complain 94af',
  ])
    .argument(...id)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      print(options, await client.mayfly.emails.complain(await emailId(client, wanted), { signal: client.signal }), reportLine)
    }, listCommand))

  clientCommand(email, 'forward', 'Forwards a received email to a verified forwarding address, once.', [
    'mayfly email forward 94af --to ada@example.com',
  ])
    .argument(...id)
    .addOption(new RequestOption('--to <email>', 'a verified forwarding address, or its id').sets('forwardToId').makeOptionMandatory())
    .action((wanted: string, options: ForwardOptions) => asClient(options, async (client) => {
      const { id: forwardToId, email: to } = await findForwarding(client, options.to)
      const queued = await client.mayfly.emails.forward(await emailId(client, wanted), { forwardToId }, { signal: client.signal })
      print(options, queued, ({ id }) => line`${id} is on its way to ${to}`)
    }, listCommand))

  clientCommand(email, 'delete', 'Deletes an email. It can still be listed with --deleted, until it is removed.', [
    'mayfly email delete 019ceb98-68c0-76ca-83c8-90c1d3ac94af',
  ])
    .argument(...permanentId)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const deleted = await client.mayfly.emails.delete(await emailId(client, wanted), { signal: client.signal })
      print(options, deleted, ({ id }) => `deleted ${id}`)
    }, listCommand))

  clientCommand(email, 'restore', 'Undoes the deletion of an email, until it is removed.', [
    'mayfly email list --deleted',
    'mayfly email restore 94af',
  ])
    .argument(...id)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const restored = await client.mayfly.emails.restore(await emailId(client, wanted, true), { signal: client.signal })
      print(options, restored, ({ id }) => `restored ${id}`)
    }, listCommand))

  clientCommand(email, 'change-all', 'Marks as read, deletes or restores all mail of an address, of a search, or of the account.', [
    'mayfly email change-all mark-read --address checkout',
    `mayfly email change-all delete --search 'from:news before:2026-11-01'`,
    'mayfly email change-all restore --all',
  ])
    .addArgument(new Argument('<action>', 'the change').choices(['mark-read', 'delete', 'restore']))
    .option('--address <address>', 'only mail of this address, the part before its @, or its id')
    .addOption(new RequestOption('--search <query>', 'only mail that this finds, as in "mayfly email list"').sets('q'))
    .addOption(new Option('--all', 'all mail of the account').conflicts(['address', 'search']))
    .action((action: string, options: ChangeAllOptions) => asClient(options, (client) => changeAll(client, action, options)))

  return email
}

async function changeAll(client: Client, wanted: string, { address, search: q, all, ...options }: ChangeAllOptions) {
  if (address === undefined && q === undefined && !all) throw new CliError('Which mail? Give --address, --search or --all.')
  const addressId = address === undefined ? undefined : (await findAddress(client, address)).id
  const action = wanted === 'mark-read' ? 'markRead' : wanted as 'delete' | 'restore'
  let changed = 0
  for (let hasMore = true; hasMore;) {
    const changes = await client.mayfly.emails.changeAll({ action, addressId, q }, { signal: client.signal })
    changed += changes.changed
    hasMore = changes.hasMore
  }
  print(options, { changed }, () => `${{ markRead: 'marked as read', delete: 'deleted', restore: 'restored' }[action]}: ${changed}`)
}

const reportLine = ({ to, outcome, emailId: report }: EmailReport) => line`${outcome} for ${to}${report ? `, id ${report}` : ''}`

async function list(client: Client, { address, search: q, thread, limit, deleted, ...options }: ListOptions) {
  const addressId = address === undefined ? undefined : (await findAddress(client, address)).id
  const { type } = options
  const after = options.after && await emailId(client, options.after)
  const threadId = thread && (await client.mayfly.emails.get(await emailId(client, thread), { signal: client.signal })).threadId
  const query = { addressId, q, threadId, type, after, isDeleted: deleted, limit: pageSize(limit) }
  const emails = client.mayfly.emails.list(query, { signal: client.signal })
  printFirst({ ...options, limit }, await takeFirst(emails, limit), ['ID', 'TIME', 'TYPE', 'FROM', 'TO', 'SUBJECT', 'MARKS'], (email) => [
    { id: email.id }, email.receivedAt, email.type, sender(email), email.to, email.subject,
    [email.isRead ? 'read' : '', email.isStarred ? 'starred' : ''].filter(Boolean).join(' '),
  ])
}

async function update(client: Client, wanted: string, { read, unread, star, unstar, ...options }: UpdateOptions) {
  const isRead = read ? true : unread ? false : undefined
  const isStarred = star ? true : unstar ? false : undefined
  if (isRead === undefined && isStarred === undefined) throw new CliError('Nothing changes: give --read, --unread, --star or --unstar.')
  const email = await client.mayfly.emails.update(await emailId(client, wanted), { isRead, isStarred }, { signal: client.signal })
  print(options, email, ({ id, isRead, isStarred }) =>
    `${id} is ${isRead ? 'read' : 'not read'} and ${isStarred ? 'starred' : 'not starred'}`)
}

async function raw(client: Client, wanted: string, options: ClientOptions) {
  const { mayfly, signal } = client
  const id = await emailId(client, wanted)
  const source = await mayfly.emails.raw(id, { signal })
  if (options.json) return print(options, { id, size: source.size, encoding: 'base64', source: (await bytesOf(source)).toString('base64') }, String)
  await printSource(source.stream(), signal)
}

async function saveAttachments(client: Client, wanted: string, options: ClientOptions & { to: string }) {
  const { mayfly, signal } = client
  const id = await emailId(client, wanted)
  const { attachments } = await mayfly.emails.get(id, { signal })
  const saved = []
  for (const attachment of attachments) {
    const file = await mayfly.emails.attachment(id, attachment.id, { signal })
    const path = await saveFile(options.to, attachment.filename, await bytesOf(file), signal)
    if (!options.json) print(options, path, String)
    saved.push({ ...attachment, path })
  }
  if (options.json) print(options, saved, String)
  else if (saved.length === 0) say('The email has no attachments.')
}

const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer())
