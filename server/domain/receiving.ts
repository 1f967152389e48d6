import { domainToASCII } from 'node:url'
import type { App } from '../context.ts'
import type { AcceptedMessage, Envelope, Recipient } from '../envelope.ts'
import { AppError } from '../errors.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { findAddressHolder, findRecipient } from '../store/addresses.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { insertEmail } from '../store/emails.ts'
import { completeJob, enqueue } from '../store/jobs.ts'
import { chunkBytes, deleteMessages, insertAttachments, insertChunk, insertMessage, shareMessage, sourcePart } from '../store/messages.ts'
import type { Chunk } from '../store/messages.ts'
import { emit } from '../store/outbox.ts'
import { timestamp } from '../timestamp.ts'
import { noteArriving, noteShown } from './arriving.ts'

/**
 * Says who receives mail at an address; `alias+tag@domain` is `alias@domain`.
 * @throws AppError `NOT_FOUND` when it is unknown, expired, malformed or of another host
 */
export async function acceptRecipient(app: App, rcpt: string): Promise<Recipient> {
  const at = rcpt.lastIndexOf('@')
  const local = rcpt.slice(0, at).toLowerCase()
  const domain = domainToASCII(rcpt.slice(at + 1))
  const alias = local.split('+', 1)[0]!
  const holder = at > 0 && domain === app.config.defaultDomain
    ? await findRecipient(app.db, `${alias}@${domain}`)
    : undefined
  if (!holder) throw new AppError('NOT_FOUND', 'No such mailbox here')
  return { addressId: holder.id, address: `${local}@${domain}` }
}

/**
 * Takes a mail. It is on disk when the promise resolves; when it rejects, nothing is kept.
 * A mail longer than a chunk is written while it arrives, so it never stands in memory whole.
 * @throws AppError `STORAGE_FULL`, and whatever `source` throws
 */
export async function acceptMessage(app: App, envelope: Envelope, source: AsyncIterable<Uint8Array>): Promise<void> {
  await refuseWhenLow(app)
  const chunks = inChunks(source)
  const first = (await chunks.next()).value ?? Buffer.alloc(0)
  const second = first.length < chunkBytes ? undefined : (await chunks.next()).value
  await (second ? acceptLong(app, envelope, [first, second], chunks) : acceptShort(app, envelope, first))
}

async function refuseWhenLow(app: App) {
  if (await app.freeBytes() >= app.config.minFreeBytes) return
  throw new AppError('STORAGE_FULL', 'This server is low on space. Try again later.')
}

async function acceptShort(app: App, envelope: Envelope, bytes: Uint8Array) {
  const message = acceptedNow(app, app.db.newId(), envelope, bytes.length)
  noteArriving(app.arriving, message)
  try {
    if (await app.intake.store(message, bytes)) return noteShown(app.arriving, message)
    // its thread gave up; should it have stored the mail before, storing it again changes nothing
    await inTransaction(app.db, async (tx) => {
      await insertChunk(tx, { message_id: message.id, part: sourcePart, seq: 0, bytes })
      await enqueue(tx, 'parse-message', message)
    })
  } catch (error) {
    noteShown(app.arriving, message) // it never will be
    throw error
  }
}

/** Milliseconds after which a mail that is still incomplete has been given up: SMTP allows it less. */
const longestArrival = 15 * 60 * 1000

async function acceptLong(app: App, envelope: Envelope, start: Uint8Array[], rest: AsyncIterable<Uint8Array>) {
  const { id, discarding } = await inTransaction(app.db, async (tx) => {
    const messageId = tx.newId()
    // removes the chunks if this process dies before the mail is complete
    return { id: messageId, discarding: await enqueue(tx, 'discard-message', { messageId }, tx.now + longestArrival) }
  })
  try {
    let seq = 0
    let size = 0
    const write = async (bytes: Uint8Array) => {
      await refuseWhenLow(app) // many may arrive at once
      size += bytes.length
      const chunk = { message_id: id, part: sourcePart, seq: seq++, bytes }
      await inTransaction(app.db, (tx) => insertChunk(tx, chunk))
    }
    for (const bytes of start) await write(bytes)
    for await (const bytes of rest) await write(bytes)
    const message = acceptedNow(app, id, envelope, size)
    noteArriving(app.arriving, message)
    await inTransaction(app.db, async (tx) => {
      await enqueue(tx, 'parse-message', message)
      await completeJob(tx, discarding)
    }).catch((error: unknown) => {
      noteShown(app.arriving, message) // it never will be
      throw error
    })
  } catch (error) {
    await inTransaction(app.db, async (tx) => {
      await deleteMessages(tx, [id])
      await completeJob(tx, discarding)
    }).catch((failure: unknown) => app.log.error({ err: failure }, 'part of a refused mail stays until it is discarded'))
    throw error
  }
}

/** The order of arrival is that of the ends of the mails. */
function acceptedNow({ db, clock }: App, id: string, envelope: Envelope, size: number): AcceptedMessage {
  const recipients = envelope.recipients.map((recipient) => ({ ...recipient, emailId: db.newId() }))
  return { id, receivedAt: clock.now(), size, envelope: { ...envelope, recipients } }
}

/** Removes what came of a mail that was never answered 250. */
export async function discardMessage(tx: Tx, messageId: string): Promise<void> {
  await deleteMessages(tx, [messageId])
}

/** The same bytes in pieces of `chunkBytes`, the last one shorter. */
async function* inChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of source) {
    let from = 0
    while (length + piece.length - from >= chunkBytes) {
      const to = from + chunkBytes - length
      pieces.push(piece.subarray(from, to))
      yield join(pieces)
      pieces = []
      length = 0
      from = to
    }
    if (from < piece.length) {
      pieces.push(piece.subarray(from))
      length += piece.length - from
    }
  }
  if (length > 0) yield join(pieces)
}

const join = (pieces: Uint8Array[]) => pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)

/**
 * Shows a parsed message in the mailbox of each recipient that still has one. Doing it twice changes nothing.
 * Many or long attachments were stored before, by `storeAhead`.
 * @param source the bytes, unless they stand in chunks already
 */
export async function publish(
  tx: Tx, message: AcceptedMessage, parsed: ParsedMessage, source: Uint8Array | null = null,
): Promise<void> {
  const { recipients, ...envelope } = message.envelope
  const isNew = await insertMessage(tx, {
    id: message.id,
    received_at: message.receivedAt,
    size: message.size,
    has_attachments: parsed.attachments.length > 0 ? 1 : 0,
    from_address: parsed.from,
    from_name: parsed.fromName,
    subject: parsed.subject,
    preview: previewOf(parsed.bodyText),
    problem: parsed.problem,
    envelope: JSON.stringify(envelope),
    codes: JSON.stringify(parsed.codes),
    links: JSON.stringify(parsed.links),
    headers: JSON.stringify(parsed.headers),
    body_text: parsed.bodyText,
    body_html: parsed.bodyHtml,
    source,
  })
  if (!isNew) return
  if (parsed.attachments.length > 0) await storeAttachments(tx, message.id, parsed)
  let mailboxes = 0
  for (const { emailId, addressId, address } of recipients) {
    const owner = await findAddressHolder(tx, addressId)
    if (!owner) continue // removed since: its mail goes with it
    mailboxes++
    await insertEmail(tx, {
      id: emailId,
      account_id: owner.accountId,
      mode: owner.mode,
      address_id: addressId,
      message_id: message.id,
      type: 'received',
      recipient: address,
      received_at: message.receivedAt,
      status: null,
    })
    await emit(tx, owner, 'email.received', {
      emailId,
      addressId,
      from: parsed.from,
      subject: parsed.subject,
      receivedAt: timestamp(message.receivedAt),
    })
  }
  if (mailboxes === 0) await deleteMessages(tx, [message.id])
  if (mailboxes > 1) await shareMessage(tx, message.id, mailboxes)
  tx.announce('emails')
}

const previewLength = 200

/** The beginning of the text on one line. */
const previewOf = (text: string) =>
  text.slice(0, previewLength * 2).replace(/\s+/g, ' ').trim().slice(0, previewLength).toWellFormed()

/** Writes the attachments that are too much for the transaction that publishes; writing them again overwrites them. */
export async function storeAhead(db: Database, messageId: string, parsed: ParsedMessage): Promise<void> {
  if (!isTooMuchAtOnce(parsed)) return
  for (const batch of inBatches(chunksOf(messageId, parsed))) {
    await inTransaction(db, (tx) => insertChunks(tx, batch))
  }
}

async function insertChunks(tx: Tx, chunks: Iterable<Chunk>) {
  for (const chunk of chunks) await insertChunk(tx, chunk)
}

/** Chunks in groups of about `chunkBytes`, so that small ones share a transaction. */
function* inBatches(chunks: Iterable<Chunk>): Generator<Chunk[]> {
  let batch: Chunk[] = []
  let bytes = 0
  for (const chunk of chunks) {
    batch.push(chunk)
    bytes += chunk.bytes.length
    if (bytes < chunkBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  yield batch
}

const isTooMuchAtOnce = (parsed: ParsedMessage) =>
  parsed.attachments.reduce((sum, { content }) => sum + content.length, 0) > chunkBytes

async function storeAttachments(tx: Tx, messageId: string, parsed: ParsedMessage) {
  await insertAttachments(tx, numbered(parsed).map(([part, attachment]) => ({
    id: tx.newId(),
    message_id: messageId,
    part,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    content_id: attachment.contentId,
    is_inline: attachment.isInline ? 1 : 0,
  })))
  if (isTooMuchAtOnce(parsed)) return
  await insertChunks(tx, chunksOf(messageId, parsed))
}

const numbered = (parsed: ParsedMessage) =>
  parsed.attachments.map((attachment, index) => [sourcePart + 1 + index, attachment] as const)

function* chunksOf(messageId: string, parsed: ParsedMessage): Generator<Chunk> {
  for (const [part, { content }] of numbered(parsed)) {
    for (let seq = 0; seq * chunkBytes < content.length; seq++) {
      yield { message_id: messageId, part, seq, bytes: content.subarray(seq * chunkBytes, (seq + 1) * chunkBytes) }
    }
  }
}
