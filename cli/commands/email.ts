import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { findActiveAddress } from '../client/find-address.ts'
import { clientCommand, parseId } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { readStdin } from '../client/prompt.ts'
import { saveFile } from '../client/save-file.ts'
import { showEmail } from '../client/show-email.ts'
import { line, print, printSource, say } from '../output.ts'

interface SendOptions extends ClientOptions {
  from: string
  to: string
  subject: string
  text?: string
}

const id = ['<id>', 'id of the email, as "mayfly inbox list" shows it', parseId] as const
const listCommand = 'mayfly inbox list ADDRESS'

export function emailCommands(): Command {
  const email = new Command('email')

  clientCommand(email, 'show', 'Shows an email: sender, codes, links, files, text.', [
    'mayfly email show 019ceb98-68c0-76ca-83c8-90c1d3ac94af',
    'mayfly email show 019ceb98-68c0-76ca-83c8-90c1d3ac94af --json | jq .headers',
  ])
    .argument(...id)
    .action((id: string, options: ClientOptions) => asClient(options, async ({ mayfly, signal }) => {
      const email = await mayfly.emails.get(id, { signal })
      const text = options.json ? '' : await showEmail(email)
      print(options, email, () => text)
    }, listCommand))

  clientCommand(email, 'raw', 'Writes the source of an email to stdout, byte for byte; on a terminal without control characters.', [
    'mayfly email raw 019ceb98-68c0-76ca-83c8-90c1d3ac94af > mail.eml',
  ])
    .argument(...id)
    .action((id: string, options: ClientOptions) => asClient(options, (client) => raw(client, id, options), listCommand))

  clientCommand(email, 'save-attachments', 'Saves the files of an email, and prints their paths. It never overwrites a file.', [
    'mayfly email save-attachments 019ceb98-68c0-76ca-83c8-90c1d3ac94af --to files',
  ])
    .argument(...id)
    .option('--to <folder>', 'folder for the files; created if missing', '.')
    .action((id: string, options: ClientOptions & { to: string }) =>
      asClient(options, (client) => saveAttachments(client, id, options), listCommand))

  clientCommand(email, 'send', 'Sends an email from an address of yours, and prints its id.', [
    'mayfly email send --from checkout --to support@shop.example --subject "Where is it?" --text "Order 1042."',
    'mayfly email send --from checkout --to support@shop.example --subject Report < report.txt',
  ])
    .requiredOption('--from <address>', 'an active address of yours, the part before its @, or its id')
    .requiredOption('--to <address>', 'exactly one')
    .requiredOption('--subject <text>', 'one line')
    .option('--text <text>', 'text of the email; default: stdin')
    .action((options: SendOptions) => asClient(options, (client) => send(client, options)))

  return email
}

async function raw({ mayfly, signal }: Client, id: string, options: ClientOptions) {
  const source = await mayfly.emails.raw(id, { signal })
  if (options.json) return print(options, { id, size: source.size, encoding: 'base64', source: (await bytesOf(source)).toString('base64') }, String)
  await printSource(source.stream(), signal)
}

async function saveAttachments({ mayfly, signal }: Client, id: string, options: ClientOptions & { to: string }) {
  const { attachments } = await mayfly.emails.get(id, { signal })
  const saved = []
  for (const attachment of attachments) {
    const file = await mayfly.emails.attachment(id, attachment.id, { signal })
    const path = await saveFile(options.to, attachment.filename, await bytesOf(file), signal)
    if (!options.json) print(options, path, String)
    saved.push({ ...attachment, path })
  }
  if (options.json) print(options, saved, String)
  else if (saved.length === 0) say('It has no files.')
}

const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer())

async function send(client: Client, options: SendOptions) {
  const { to, subject } = options
  const body = options.text ?? await readText()
  const { id: fromAddressId } = await findActiveAddress(client, options.from)
  const sent = await client.mayfly.emails.send({ fromAddressId, to, subject, body }, { signal: client.signal })
  print(options, sent, ({ id }) => line`${id}`)
}

function readText() {
  if (process.stdin.isTTY) throw new CliError('There is no text: use --text, or stdin.')
  return readStdin()
}
