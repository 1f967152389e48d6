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
  cc?: string[]
  attach?: string[]
}

export type ReplyOptions = Partial<SendOptions>

/** Sends an email. */
export async function send(client: Client, options: SendOptions) {
  const { to, subject, cc } = options
  const attachments = await filesAt(options.attach)
  const body = options.text ?? await readText()
  const { id: fromAddressId } = await findActiveAddress(client, options.from)
  const sent = await client.mayfly.emails.send({ fromAddressId, to, cc, subject, body, attachments }, { signal: client.signal })
  print(options, sent, ({ id }) => line`${id}`)
}

/** Sends an answer to an email. */
export async function reply(client: Client, wanted: string, options: ReplyOptions) {
  const { to, subject, cc, from } = options
  const attachments = await filesAt(options.attach)
  const body = options.text ?? await readText()
  const fromAddressId = from === undefined ? undefined : (await findActiveAddress(client, from)).id
  const inReplyToId = await emailId(client, wanted)
  const mail = { inReplyToId, fromAddressId, to, cc, subject, body, attachments }
  const sent = await client.mayfly.emails.send(mail, { signal: client.signal })
  print(options, sent, ({ id }) => line`${id}`)
}

const collect = (value: string, values: string[] = []) => [...values, value]
export const ccOption = () => new Option('--cc <address>', 'a further recipient; may be repeated').argParser(collect)
export const attachOption = () => new RequestOption('--attach <file>', 'a file to send; may be repeated').sets('attachments').argParser(collect)

const filesAt = (paths: string[] = []) => Promise.all(paths.map(async (path) => {
  const content = await readFile(path).catch((error: Error) => { throw new CliError(`${path} cannot be read: ${error.message}`) })
  return { filename: basename(path), content }
}))

function readText() {
  if (process.stdin.isTTY) throw new CliError('The mail has no text: give it with --text, or on stdin.')
  return readStdin()
}
