import { Option } from 'commander'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CliError } from '../cli-error.ts'
import { line, print } from '../output.ts'
import type { Client } from './as-client.ts'
import { findActiveAddress } from './find-address.ts'
import { RequestOption } from './options.ts'
import type { ClientOptions } from './options.ts'
import { readStdin } from './prompt.ts'
import { emailId } from './resources.ts'

export interface SendOptions extends ClientOptions {
  from: string
  to: string
  subject: string
  text?: string
  html?: string
  cc?: string[]
  attach?: string[]
}

export type ReplyOptions = Partial<SendOptions>

/** Sends an email. */
export async function send(client: Client, options: SendOptions) {
  const { to, subject, cc } = options
  const attachments = await filesAt(options.attach)
  const texts = await readTexts(options)
  const { id: fromAddressId } = await findActiveAddress(client, options.from)
  const sent = await client.mayfly.emails.send({ fromAddressId, to, cc, subject, ...texts, attachments }, { signal: client.signal })
  print(options, sent, ({ id }) => line`${id}`)
}

/** Sends an answer to an email. */
export async function reply(client: Client, wanted: string, options: ReplyOptions) {
  const { to, subject, cc, from } = options
  const attachments = await filesAt(options.attach)
  const texts = await readTexts(options)
  const fromAddressId = from === undefined ? undefined : (await findActiveAddress(client, from)).id
  const inReplyToId = await emailId(client, wanted)
  const mail = { inReplyToId, fromAddressId, to, cc, subject, ...texts, attachments }
  const sent = await client.mayfly.emails.send(mail, { signal: client.signal })
  print(options, sent, ({ id }) => line`${id}`)
}

const collect = (value: string, values: string[] = []) => [...values, value]
export const ccOption = () => new Option('--cc <address>', 'a further recipient; may be repeated').argParser(collect)
export const htmlOption = () => new RequestOption('--html <file>', 'a file with the HTML').sets('bodyHtml')
export const attachOption = () => new RequestOption('--attach <file>', 'a file to send; may be repeated').sets('attachments').argParser(collect)

const filesAt = (paths: string[] = []) => Promise.all(paths.map(async (path) => {
  const content = await readFile(path).catch((error: Error) => { throw new CliError(`${path} cannot be read: ${error.message}`) })
  return { filename: basename(path), content }
}))

async function readTexts({ text, html }: ReplyOptions) {
  const bodyHtml = html === undefined ? undefined : await readHtml(html)
  if (text !== undefined || bodyHtml === undefined) return { body: text ?? await readText(), bodyHtml }
  return { body: (await import('./html-text.ts')).htmlText(bodyHtml), bodyHtml }
}

const readHtml = (path: string) => readFile(path, 'utf8')
  .catch((error: Error) => { throw new CliError(`--html: ${path} cannot be read: ${error.message}`) })

function readText() {
  if (process.stdin.isTTY) throw new CliError('The mail has no text: give it with --text, or on stdin.')
  return readStdin()
}
