import { parentPort, workerData } from 'node:worker_threads'
import { storeParsed, storeUnparsed } from '../domain/receiving.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { AppError } from '../errors.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { readMessage } from '../mime/read-message.ts'
import { inTransaction, openDatabase } from '../store/database.ts'
import type { Delivery, IntakeSetup, Receipt } from './intake.ts'

/** Runs in a thread: parses short mails and stores them, as many in a commit as have come. */
const { database } = workerData as IntakeSetup
// the time is that of the mails, so a test's clock holds here too
let now = 0
const db = await openDatabase(database, { now: () => now, at: () => () => {} }, { migrate: false })

let receipt: Receipt = { stored: [], failed: [], topics: [] }
let isAnswering = false

db.commits.on('committed', (topics) => {
  receipt.topics.push(...topics)
  answer()
})

parentPort!.on('message', (delivery: Delivery | 'close') => {
  if (delivery === 'close') {
    void db.close().then(() => parentPort!.close())
    return
  }
  let start = 0
  for (const message of JSON.parse(delivery.messages) as AcceptedMessage[]) {
    const bytes = Buffer.from(delivery.bytes.buffer, start, message.size)
    start += message.size
    now = Math.max(now, message.receivedAt)
    void store(message, bytes)
  }
})

async function store(message: AcceptedMessage, bytes: Buffer) {
  const parsed = parse(bytes)
  try {
    await inTransaction(db, (tx) => parsed ? storeParsed(tx, message, bytes, parsed) : storeUnparsed(tx, message, bytes))
    receipt.stored.push(message.id)
  } catch (error) {
    const code = error instanceof AppError ? error.code : null
    receipt.failed.push({ id: message.id, code, error: (error as Error).message })
  }
  answer()
}

/** @returns undefined when our parser fails on it: then a job tries, which also knows to read less */
function parse(bytes: Buffer): ParsedMessage | undefined {
  try {
    return readMessage(bytes)
  } catch {
    return undefined
  }
}

/** One answer for all that a commit has stored. */
function answer() {
  if (isAnswering) return
  isAnswering = true
  // before the next mails are parsed, and after everybody has heard of this commit
  process.nextTick(() => {
    isAnswering = false
    parentPort!.postMessage(receipt)
    receipt = { stored: [], failed: [], topics: [] }
  })
}
