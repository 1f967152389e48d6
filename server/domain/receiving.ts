import type { App } from '../context.ts'
import type { AcceptedMessage, Arriving, Envelope, Recipient } from '../envelope.ts'
import { storageFull } from '../errors.ts'
import { joinBytes, lengthOf } from '../line-endings.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { cancelJob, waitingPayloads } from '../store/jobs/jobs.ts'
import { chunkBytes } from '../store/mail/message-chunks.ts'
import { isDiscarded } from '../store/mail/message-removal.ts'
import { refuseWhenAccountFull } from './plans.ts'
import { refuseWhenSourcesWait } from './source-moves.ts'
import { refusalByFrom, SenderRefusedError } from './sender-lists.ts'
import type { SenderRefusal } from './sender-lists.ts'
import { recordRefusedTry, shownReply } from './smtp-activity.ts'
import { discardMessage } from './stored-mail.ts'

/**
 * Accepts a mail. It is on disk when the promise resolves; when it rejects, nothing is kept.
 * A mail that fits in memory is parsed and published at once. Any other is stored in chunks while it arrives, and published later.
 * @param recordsOf gets the ids of the emails, and returns the records that the transaction which accepts the mail inserts
 * @returns the ids of its emails, in the order of the recipients that take it, and the refusal of the others
 * @throws MailRefusedError when the account is full or no recipient takes it, AppError `STORAGE_FULL`, and errors of `source`
 */
export async function acceptMessage(
  app: App, { recipients, ...others }: Envelope, source: MailText, recordsOf?: RecordsOf,
): Promise<AcceptedMail> {
  const begunAt = performance.now()
  await refuseWhenLow(app)
  const rest = source[Symbol.asyncIterator]()
  const start = await readStart(source, rest)
  const refusal = recipients.some(({ hasSenders }) => hasSenders) ? await refusalByFrom(app.db, recipients, start.pieces) : undefined
  const envelope = { ...others, recipients: recipients.filter((recipient) => !refusal?.recipients.includes(recipient)) }
  if (refusal && envelope.recipients.length === 0 && !envelope.bounces) throw refusal.error
  const message = await (start.isWhole
    ? acceptWhole(app, envelope, start.pieces, recordsOf)
    : acceptInChunks(app, envelope, inChunks(start.pieces, rest), (bytes) => source.recordStored?.(bytes), recordsOf))
  recordAccepted(app, message, performance.now() - begunAt)
  return { ids: emailIdsOf(message), refusal }
}

interface AcceptedMail {
  ids: string[]
  refusal: SenderRefusal | undefined
}

/**
 * Accepts a mail for one recipient that did not come over the network.
 * @param recordsOf gets the id of its email @returns that id
 * @throws as `acceptMessage`
 */
export async function acceptLocalMail(
  app: App, { sender, recipient, source }: { sender: string, recipient: Recipient, source: MailText },
  recordsOf?: (id: string) => ChangeRecords,
): Promise<string> {
  const envelope = { sender, recipients: [recipient], remoteAddress: '', helo: app.config.mxHost, tls: false }
  try {
    const { ids: [id] } = await acceptMessage(app, envelope, source, recordsOf && (([id]) => recordsOf(id!)))
    return id!
  } catch (error) {
    if (error instanceof SenderRefusedError) await recordRefusedSender(app, recipient, error)
    throw error
  }
}

async function recordRefusedSender(app: App, { addressId, address }: Recipient, { sender, reply }: SenderRefusedError) {
  await recordRefusedTry(app, { stage: 'end', client: null, from: sender, ...shownReply(reply) }, [{ addressId, recipients: [address] }])
}

/** The bytes of a mail that is in memory. */
export async function* once(source: Buffer): AsyncGenerator<Uint8Array> {
  yield source
}

function recordAccepted({ metrics, activity }: App, { size, envelope }: AcceptedMessage, ms: number) {
  const { recipients, sender, remoteAddress, tls } = envelope
  metrics.mailAccepted(remoteAddress === '' ? 'local' : 'smtp')
  activity.record({
    kind: 'accepted', ids: recipients.map(({ emailId }) => emailId), from: sender,
    addresses: recipients.map(({ address }) => address), remoteAddress, tls, bytes: size, ms,
  })
}

/** The bytes of a mail. */
export interface MailText extends AsyncIterable<Uint8Array> {
  /** Whether the memory for mail is so full that this mail should be stored in chunks. */
  readonly isMemoryScarce?: boolean
  /** Tells how many bytes are on disk, so that their memory can be released. */
  recordStored?(bytes: number): void
}

type RecordsOf = (emailIds: string[]) => ChangeRecords

const emailIdsOf = ({ envelope }: AcceptedMessage) => envelope.recipients.map(({ emailId }) => emailId)

/**
 * Maximum bytes of a mail that is kept in memory until it is stored in one transaction. The transaction of a longer one would delay
 * other changes.
 */
const maxWholeBytes = 1024 * 1024

/** Reads a mail to its end, or until it has to be stored in chunks. */
async function readStart(source: MailText, rest: AsyncIterator<Uint8Array>): Promise<{ pieces: Uint8Array[], isWhole: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  while (length < chunkBytes || length <= maxWholeBytes && !source.isMemoryScarce) {
    const next = await rest.next()
    if (next.done) return { pieces, isWhole: true }
    pieces.push(next.value)
    length += next.value.length
  }
  return { pieces, isWhole: false }
}

/** @param bytes about to be stored */
async function refuseWhenLow(app: App, bytes = 0) {
  if (await app.freeBytes() < app.config.minFreeBytes) throw storageFull('This server is low on space. Try again later.')
  if (app.db.engine.sources) await refuseWhenSourcesWait(app)
  app.takeSpace(bytes)
}

async function refuseWhenAnyFull(app: App, { recipients }: Envelope, bytes: number) {
  for (const { accountId, addressId } of recipients) {
    if (accountId !== undefined) await refuseWhenAccountFull(app, { accountId, addressId }, bytes)
  }
}

async function acceptWhole(app: App, envelope: Envelope, source: Uint8Array[], recordsOf?: RecordsOf): Promise<AcceptedMessage> {
  const size = lengthOf(source)
  await refuseWhenLow(app, size)
  await refuseWhenAnyFull(app, envelope, size)
  const message = acceptedNow(app, app.db.newId(), envelope, size)
  const records = recordsOf?.(emailIdsOf(message))
  recordArriving(app.arriving, message)
  try {
    if (await app.intake.store(message, source, records)) recordShown(app.arriving, message)
    // its thread has ended, or left it to a job; if it is published already, storing it again changes nothing
    else await storeInChunks(app, message.id, inChunks(source), async () => ({ message, records }), { sender: envelope.remoteAddress })
    return message
  } catch (error) {
    recordShown(app.arriving, message) // it was not accepted, so its bytes do not count
    throw error
  }
}

function acceptInChunks(
  app: App, envelope: Envelope, chunks: AsyncIterable<Chunk>, recordStored: (bytes: number) => void, recordsOf?: RecordsOf,
): Promise<AcceptedMessage> {
  const id = app.db.newId()
  return storeInChunks(app, id, chunks, async (size) => {
    await refuseWhenAnyFull(app, envelope, size)
    const message = acceptedNow(app, id, envelope, size)
    recordArriving(app.arriving, message)
    return { message, records: recordsOf?.(emailIdsOf(message)) }
  }, { sender: envelope.remoteAddress, recordStored })
}

/** A mail whose chunks are stored: what its acceptance writes. */
type Accepted = { message: AcceptedMessage, records: ChangeRecords | undefined }

interface Transfer {
  /** IP address of the client: senders of long mail are served in rotation. */
  sender: string
  recordStored?(bytes: number): void
}

/**
 * Stores the source of a mail in chunks, and accepts the mail: a job parses it.
 * @param complete called when all chunks are stored, with their bytes
 */
async function storeInChunks(
  app: App, messageId: string, chunks: AsyncIterable<Chunk>, complete: (bytes: number) => Promise<Accepted>,
  { sender, recordStored }: Transfer,
): Promise<AcceptedMessage> {
  let discardJobId: string | undefined
  let accepted: Accepted | undefined
  try {
    let seq = 0
    let storedBytes = 0
    for await (const bytes of chunks) {
      const { length } = bytes // the buffer is transferred, and empty afterwards
      await refuseWhenLow(app, length) // other mails take space meanwhile
      const chunk = { messageId, seq: seq++, bytes }
      if (discardJobId === undefined) discardJobId = await app.intake.storeFirstChunk(sender, chunk, app.clock.now())
      else await app.intake.storeChunk(sender, chunk)
      storedBytes += length
      recordStored?.(length)
    }
    accepted = await complete(storedBytes)
    await app.intake.acceptStored(sender, { ...accepted, discardJobId: discardJobId! }, app.clock.now())
    recordQueued(app, accepted.message)
    return accepted.message
  } catch (error) {
    const isDiscarded = discardJobId === undefined || await discard(app, messageId, discardJobId)
    if (accepted && !isDiscarded) { // the thread ended after it had accepted the mail
      recordQueued(app, accepted.message)
      return accepted.message
    }
    if (accepted) recordShown(app.arriving, accepted.message) // it was not accepted, so its bytes do not count
    throw error
  }
}

/** @returns false when the mail is accepted */
async function discard(app: App, messageId: string, discardJobId: string): Promise<boolean> {
  try {
    return await inTransaction(withReserve(app.db), async (tx) => {
      // its job may have discarded it already: then the chunks that came later are left
      const isRefused = await cancelJob(tx, discardJobId) || await isDiscarded(tx, messageId)
      if (isRefused) await discardMessage(tx, messageId)
      return isRefused
    })
  } catch (failure) {
    app.log.error({ err: failure }, 'part of a refused mail stays until it is discarded')
    return true
  }
}

/** Makes the ids of the emails at the end of the transfer, which defines the order of arrival. */
function acceptedNow({ db, clock }: App, id: string, envelope: Envelope, size: number): AcceptedMessage {
  const recipients = envelope.recipients.map((recipient) =>
    ({ ...recipient, hasFaults: undefined, hasSenders: undefined, emailId: db.newId() }))
  return { id, receivedAt: clock.now(), size, envelope: { ...envelope, recipients } }
}

type Chunk = Uint8Array<ArrayBuffer>

/**
 * Splits a source into pieces of `chunkBytes`, the last one shorter; an empty source is one empty piece. Each has its own buffer, which can
 * be transferred to a thread.
 * @param start the first pieces of the source
 */
async function* inChunks(start: Uint8Array[], rest?: AsyncIterator<Uint8Array>): AsyncGenerator<Chunk, undefined> {
  let pieces: Uint8Array[] = []
  let length = 0
  let isEmpty = true
  for await (const piece of continued(start, rest)) {
    let from = 0
    while (length + piece.length - from >= chunkBytes) {
      const to = from + chunkBytes - length
      pieces.push(piece.subarray(from, to))
      yield joinBytes(pieces)
      isEmpty = false
      pieces = []
      length = 0
      from = to
    }
    if (from < piece.length) {
      pieces.push(piece.subarray(from))
      length += piece.length - from
    }
  }
  if (length > 0 || isEmpty) yield joinBytes(pieces)
}

async function* continued(start: Uint8Array[], rest: AsyncIterator<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  yield* start
  for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) yield next.value
}

/**
 * Emails that were accepted before this start and are not published yet. Where several nodes use the database, there are none: those that
 * wait for a job are found in the database, since any node may publish them.
 */
export async function arrivingAtStart(app: Pick<App, 'db'>): Promise<Arriving> {
  const arriving: Arriving = new Map()
  if (app.db.engine.shared) return arriving
  for (const message of await waitingPayloads(app.db, 'parse-message')) recordArriving(arriving, message)
  return arriving
}

function recordArriving(arriving: Arriving, { envelope, size }: AcceptedMessage): void {
  for (const { emailId, accountId } of envelope.recipients) arriving.set(emailId, { accountId, bytes: size })
}

export function recordShown(arriving: Arriving, { envelope }: AcceptedMessage): void {
  for (const { emailId } of envelope.recipients) arriving.delete(emailId)
}

/** Records that a mail is stored, and waits for a job. */
function recordQueued({ arriving, db }: Pick<App, 'arriving' | 'db'>, message: AcceptedMessage): void {
  if (db.engine.shared) recordShown(arriving, message) // its job is counted
}
