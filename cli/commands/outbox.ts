import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { readConfig } from '../../server/config/config.ts'
import { forwardHeader } from '../../server/domain/forwards.ts'
import { nothingFound } from '../../server/errors.ts'
import { readMessage } from '../../server/mime/read-message.ts'
import type { Database } from '../../server/store/database.ts'
import { findMailDelivery } from '../../server/store/outgoing/mail-deliveries.ts'
import { readSource } from '../../server/store/mail/message-chunks.ts'
import { messageBytes } from '../../server/store/mail/messages.ts'
import { findOutgoingMail, listOutgoingMails } from '../../server/store/outgoing/outgoing-mails.ts'
import type { OutgoingMailRecord } from '../../server/store/outgoing/outgoing-mails.ts'
import { readSecret } from '../../server/store/secrets.ts'
import { findId, searched } from '../client/find-by-part.ts'
import type { Kind } from '../client/find-by-part.ts'
import { isIdPart, limitOption, operatorCommand, wideOption } from '../client/options.ts'
import { oneLine, print, printFirst, printSource } from '../output.ts'
import { withDatabase } from '../with-database.ts'

interface ListOptions {
  status?: OutgoingMailRecord['status'][]
  all?: boolean
  limit: number
  json?: boolean
}

interface ShowOptions {
  raw?: boolean
  json?: boolean
}

/** The states of captured or waiting mail. */
const waiting = ['captured', 'queued', 'sending', 'deferred'] as const
const statuses = [...waiting, 'sent', 'failed'] as const

export function outboxCommands(): Command {
  const outbox = new Command('outbox')

  operatorCommand(outbox, 'list', 'Lists mail that is captured or waits, newest first.', [
    'mayfly outbox list',
    'mayfly outbox list --status failed deferred',
  ])
    .addOption(new Option('--status <status...>', 'only mail in these states').choices(statuses))
    .option('--all', 'also mail that was sent or has failed')
    .addOption(limitOption(50))
    .addOption(wideOption())
    .action(list)

  operatorCommand(outbox, 'show', 'Writes the text of a mail to stdout.', [
    'mayfly outbox show 019ceb98-68c0-76ca-83c8-90c1d3ac94af',
    'mayfly outbox show 019ceb98-68c0-76ca-83c8-90c1d3ac94af --raw > mail.eml',
  ])
    .argument('<id>', 'id of the mail, as "mayfly outbox list" shows it, or its beginning or end')
    .option('--raw', 'the source, byte for byte; on a terminal without control characters')
    .action((id: string, options: ShowOptions) => withDatabase((db) => show(db, id, options), { readsSources: true }))

  return outbox
}

async function list(options: ListOptions) {
  const wanted = options.status ?? (options.all ? statuses : waiting)
  const found = await withDatabase((db) => listOutgoingMails(db, { statuses: wanted, limit: options.limit + 1 }))
  const mails = { first: found.slice(0, options.limit), hasMore: found.length > options.limit }
  printFirst(options, mails, ['ID', 'CREATED', 'KIND', 'FROM → TO', 'SUBJECT', 'STATUS', 'ATTEMPTS', 'NEXT', 'REASON'], (mail) => [
    { id: mail.id }, new Date(mail.createdAt), mail.kind, `${mail.from} → ${mail.to}`, mail.subject, mail.status, String(mail.attempts),
    mail.nextAttemptAt ? new Date(mail.nextAttemptAt) : '', mail.reason ?? '',
  ])
}

const mails: Kind<OutgoingMailRecord> = {
  plural: 'outgoing mails', listCommand: 'mayfly outbox list --all', title: ({ to, subject }) => `${to}  ${subject}`,
}

async function show(db: Database, wanted: string, options: ShowOptions) {
  const id = isIdPart(wanted) ? await findId(wanted, mails, () => listOutgoingMails(db, { statuses, limit: searched })) : wanted
  const mail = await findOutgoingMail(db, id.toLowerCase())
  if (!mail) throw nothingFound(`There is no mail with the id ${id}. "mayfly outbox list --all" shows them.`)
  const source = await sourceOf(db, mail.id)
  if (!source) throw nothingFound(`The source of this mail has been removed. Its status is ${mail.status}.`)
  if (options.raw && !options.json) return printSource(source)
  const bytes = await buffer(source)
  const { bodyText, links } = readMessage(bytes)
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64'
  print(options, { ...mail, text: bodyText, links, encoding, source: bytes.toString(encoding) }, () => readable(mail, bodyText))
}

const readable = ({ from, to, subject, createdAt }: OutgoingMailRecord, text: string) => [
  ...Object.entries({ From: from, To: to, Subject: subject, Date: createdAt }).map(([name, value]) => `${name}: ${oneLine(value)}`),
  '', text.trimEnd(),
].join('\n')

/** The source of an outgoing mail. @returns undefined when the mail was deleted */
async function sourceOf(db: Database, id: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  const delivery = await findMailDelivery(db, id)
  if (!delivery || !await messageBytes(db, delivery.messageId)) return undefined
  // a server makes the secret at its start, so a database with forwards has it
  const header = delivery.kind === 'forward'
    ? await forwardHeader({ db, config: readConfig(process.env), secret: await readSecret(db) }, delivery)
    : Buffer.alloc(0)
  if (!header) return undefined
  return (async function* () {
    if (header.length > 0) yield header
    yield* readSource(db, delivery.messageId)
  })()
}
