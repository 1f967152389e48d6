import type { Config } from '../config/config.ts'
import type { App, UnshownMessage } from '../context.ts'
import { readContent } from '../mime/parse/read-content.ts'
import { readHeadersOnly } from '../mime/read-message.ts'
import { composeMail } from '../mime/write/compose.ts'
import type { NewMail } from '../mime/write/compose.ts'
import { signMail } from '../mime/write/dkim.ts'
import type { Tx } from '../store/database.ts'
import { cancelJob, enqueue } from '../store/jobs/jobs.ts'
import { insertOwnMessage } from './publishing.ts'
import { discardedError, maxStorageMs } from './stored-mail.ts'

/** Maximum length of text, HTML and attachments that the main thread composes, in 1 ms. A thread composes longer mail. */
const maxLength = 32 * 1024

/** Composes a mail, in a thread when it is long. @returns its bytes */
export async function compose({ intake }: App, accountId: string, mail: NewMail): Promise<Buffer> {
  if (!isLong(mail)) return composeMail(mail)
  const { buffer, byteOffset, byteLength } = await intake.compose(accountId, mail)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/**
 * Composes and signs a mail; a long one is also stored, in a thread.
 * @returns stores the message, or keeps the stored one, in the transaction that adds its email; throws AppError `INTERNAL_ERROR` when
 * it is discarded already
 */
export async function composeMessage(
  { intake, config, clock }: App, accountId: string, mail: NewMail,
): Promise<(tx: Tx) => Promise<Pick<UnshownMessage, 'messageId' | 'size'>>> {
  if (isLong(mail)) {
    const stored = await intake.storeComposed(accountId, mail, clock.now())
    return async (tx) => {
      if (!await cancelJob(tx, stored.discardJobId)) throw discardedError()
      return stored
    }
  }
  const source = await composeSigned(mail, config.signingKey, clock.now())
  return async (tx) => ({ messageId: await insertComposed(tx, mail, source), size: source.length })
}

/** Stores the message of a long mail, and a job that discards it unless its email is added. */
export async function storeComposed(tx: Tx, mail: NewMail, source: Buffer): Promise<UnshownMessage> {
  const messageId = await insertComposed(tx, mail, source)
  const discardJobId = await enqueue(tx, 'discard-message', { messageId }, { runAt: tx.now + maxStorageMs })
  return { messageId, size: source.length, discardJobId }
}

export const composeSigned = async (mail: NewMail, key: Config['signingKey'], now: number): Promise<Buffer> =>
  signMail(await composeMail(mail), key, now)

const isLong = ({ text, html, attachments = [] }: NewMail) =>
  attachments.reduce((length, { content }) => length + content.length, text.length + html.length) > maxLength

const insertComposed = (tx: Tx, { from, subject, text, html, attachments = [] }: NewMail, source: Buffer) => insertOwnMessage(tx, {
  from: from.address,
  fromName: from.name ?? '',
  subject,
  bodyText: text,
  bodyHtml: html,
  headers: readHeadersOnly(source, null).headers,
  attachments: attachments.length > 0 ? readContent(source).attachments : [],
}, source)
