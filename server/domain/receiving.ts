import type { App } from '../context.ts'
import { minuteMs } from '../durations.ts'
import type { AcceptedMessage, Envelope } from '../envelope.ts'
import { storageFull } from '../errors.ts'
import { insertChangeRecords, insertMissingRecords } from '../store/accounts/change-records.ts'
import type { ChangeRecords } from '../store/accounts/change-records.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { completeJob, enqueue } from '../store/jobs.ts'
import { chunkBytes, insertChunk } from '../store/mail/message-chunks.ts'
import { refuseWhenAccountFull } from './account-room.ts'
import { recordArriving, recordShown } from './arriving.ts'
import { discardMessage } from './discarded-messages.ts'
import { enqueueParsing } from './publishing.ts'

/**
 * Accepts a mail. It is on disk when the promise resolves; when it rejects, nothing is kept.
 * A mail longer than a chunk is written while it arrives, so it is never in memory whole.
 * @param recordsOf gets the ids of the emails, and returns the records that the transaction which accepts the mail inserts
 * @returns the ids of its emails, in the order of its recipients; a longer mail is published a moment later
 * @throws AccountFullError, AppError `STORAGE_FULL`, and errors of `source`
 */
export async function acceptMessage(
  app: App, envelope: Envelope, source: MailText, recordsOf?: RecordsOf,
): Promise<string[]> {
  await refuseWhenLow(app)
  const chunks = inChunks(source)
  const first = (await chunks.next()).value ?? new Uint8Array(0)
  const second = first.length < chunkBytes ? undefined : (await chunks.next()).value
  const message = await (second
    ? acceptLong(app, envelope, [first, second], chunks, (bytes) => source.recordStored?.(bytes), recordsOf)
    : acceptShort(app, envelope, first, recordsOf))
  app.metrics.mailAccepted(envelope.remoteAddress === '' ? 'local' : 'smtp')
  return emailIdsOf(message)
}

/** The bytes of a mail. `recordStored` tells how many are on disk, so that the source can release their memory. */
export interface MailText extends AsyncIterable<Uint8Array> {
  recordStored?(bytes: number): void
}

type RecordsOf = (emailIds: string[]) => ChangeRecords

const emailIdsOf = ({ envelope }: AcceptedMessage) => envelope.recipients.map(({ emailId }) => emailId)

/** @param bytes about to be stored */
async function refuseWhenLow(app: App, bytes = 0) {
  if (await app.freeBytes() < app.config.minFreeBytes) throw storageFull('This server is low on space. Try again later.')
  app.takeSpace(bytes)
}

async function refuseWhenAnyFull(app: App, { recipients }: Envelope, bytes: number) {
  for (const { accountId } of recipients) if (accountId !== undefined) await refuseWhenAccountFull(app, accountId, bytes)
}

async function acceptShort(app: App, envelope: Envelope, bytes: Uint8Array, recordsOf?: RecordsOf): Promise<AcceptedMessage> {
  await refuseWhenLow(app, bytes.length)
  await refuseWhenAnyFull(app, envelope, bytes.length)
  const message = acceptedNow(app, app.db.newId(), envelope, bytes.length)
  const records = recordsOf?.(emailIdsOf(message))
  recordArriving(app.arriving, message)
  try {
    if (await app.intake.store(message, bytes, records)) {
      recordShown(app.arriving, message)
      return message
    }
    // its thread has ended; if it has stored the mail before, storing it again changes nothing
    await inTransaction(app.db, async (tx) => {
      await insertChunk(tx, { messageId: message.id, seq: 0, bytes })
      await enqueueParsing(tx, message)
      if (records) await insertMissingRecords(tx, records)
    })
    return message
  } catch (error) {
    recordShown(app.arriving, message) // it was not accepted, so waits for mail must not wait for it
    throw error
  }
}

/** Maximum duration of the transfer of a mail; the SMTP limits are lower. An incomplete mail is discarded afterwards. */
const maxArrivalMs = 15 * minuteMs

async function acceptLong(
  app: App, envelope: Envelope, start: Chunk[], rest: AsyncIterable<Chunk>, recordStored: (bytes: number) => void, recordsOf?: RecordsOf,
): Promise<AcceptedMessage> {
  const { id, discardJobId } = await inTransaction(app.db, async (tx) => {
    const messageId = tx.newId()
    // removes the chunks if this process dies before the mail is complete
    return { id: messageId, discardJobId: await enqueue(tx, 'discard-message', { messageId }, { runAt: tx.now + maxArrivalMs }) }
  })
  try {
    let seq = 0
    let size = 0
    const write = async (bytes: Chunk) => {
      await refuseWhenLow(app, bytes.length) // other mails take space meanwhile
      const { length } = bytes // storeChunk transfers the buffer
      await app.intake.storeChunk(envelope.remoteAddress, { messageId: id, seq: seq++, bytes })
      size += length
      recordStored(length)
    }
    for (const bytes of start) await write(bytes)
    for await (const bytes of rest) await write(bytes)
    await refuseWhenAnyFull(app, envelope, size)
    const message = acceptedNow(app, id, envelope, size)
    recordArriving(app.arriving, message)
    try {
      await inTransaction(app.db, async (tx) => {
        await enqueueParsing(tx, message)
        await completeJob(tx, discardJobId)
        if (recordsOf) await insertChangeRecords(tx, recordsOf(emailIdsOf(message)))
      })
      return message
    } catch (error) {
      recordShown(app.arriving, message) // it was not accepted, so waits for mail must not wait for it
      throw error
    }
  } catch (error) {
    await inTransaction(withReserve(app.db), async (tx) => {
      await discardMessage(tx, id)
      await completeJob(tx, discardJobId)
    }).catch((failure: unknown) => app.log.error({ err: failure }, 'part of a refused mail stays until it is discarded'))
    throw error
  }
}

/** Makes the ids of the emails at the end of the transfer, which defines the order of arrival. */
function acceptedNow({ db, clock }: App, id: string, envelope: Envelope, size: number): AcceptedMessage {
  const recipients = envelope.recipients.map((recipient) => ({ ...recipient, emailId: db.newId() }))
  return { id, receivedAt: clock.now(), size, envelope: { ...envelope, recipients } }
}

type Chunk = Uint8Array<ArrayBuffer>

/** Splits a source into pieces of `chunkBytes`, the last one shorter. Each has its own buffer, which can be transferred to a thread. */
async function* inChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Chunk, undefined> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of source) {
    let from = 0
    while (length + piece.length - from >= chunkBytes) {
      const to = from + chunkBytes - length
      pieces.push(piece.subarray(from, to))
      yield concat(pieces)
      pieces = []
      length = 0
      from = to
    }
    if (from < piece.length) {
      pieces.push(piece.subarray(from))
      length += piece.length - from
    }
  }
  if (length > 0) yield concat(pieces)
}

function concat(pieces: Uint8Array[]): Chunk {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
  }
  return bytes
}
