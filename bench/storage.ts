import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createAccount } from '../server/domain/accounts.ts'
import { issueAddress } from '../server/domain/addresses.ts'
import { publish } from '../server/domain/publishing.ts'
import { readEmail } from '../server/domain/stored-mail.ts'
import { readMessage } from '../server/mime/read-message.ts'
import { inTransaction, openDatabase } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'
import { listEmails } from '../server/store/mail/email-list.ts'
import type { Owner } from '../server/store/schema/values.ts'
import { openIndexer } from '../server/store/search/search-index.ts'
import { processorMs } from './rounds.ts'
import { storedMails } from './storage-mails.ts'
import type { StoredMail } from './storage-mails.ts'

/**
 * Measures the store with each page size: processor time and written bytes of a mail that is published, checkpoints included, its bytes
 * on disk with the search index, and the processor time of reading it. Mails are parsed before.
 */
const pageSizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [4096, 8192, 16384, 32768]
/** Bytes of mail for each line. */
const measuredBytes = 24_000_000

console.log('                                      published: ms CPU, kB written      on disk       read: ms CPU')
console.log('  mail, in a commit       page size   in all   of the index (kB, ms)     a byte    of 20 listed    one')
for (const mail of storedMails) {
  for (const group of mail.groups) {
    for (const pageBytes of pageSizes) await measure(mail, group, pageBytes)
  }
}

async function measure({ name, source }: StoredMail, group: number, pageBytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
  const file = join(folder, 'mayfly.db')
  createWithPages(file, pageBytes)
  const db = await openDatabase(file, { now: Date.now, at: () => () => {} })
  try {
    const { id: accountId } = await createAccount(db, 'bench@mail.example', 'business')
    const owner = { accountId, mode: 'live' as const, bound: undefined }
    const store = await openMailbox(db, owner)
    await publishMany(db, store, source, 50, group) // warms up
    const count = Math.ceil(measuredBytes / (source.length + 10_000))
    const before = sizeOf(db)
    const published = await costOf(() => publishMany(db, store, source, count, group))
    const index = openIndexer(db)
    const indexed = await costOf(async () => {
      while (await index({ limit: 8 }) > 0) checkpointIfDue(db)
      db.engine.file!.checkpoint()
    })
    const ratio = (sizeOf(db) - before) / count / source.length
    const { emails } = await listEmails(db, owner, { isDeleted: false, limit: 20, offset: 0 })
    const listed = await costOf(() => repeat(300, () => listEmails(db, owner, { isDeleted: false, limit: 20, offset: 0 })))
    const read = await costOf(() => repeat(1_000, async (i) => JSON.stringify(await readEmail(db, owner, emails[i % 20]!.id))))
    console.log(`  ${`${name}, ${group}`.padEnd(26)} ${String(pageBytes).padStart(6)}  ${show(published, count)}  ${show(indexed, count)}`
      + `  ${ratio.toFixed(3)}  ${(listed.ms / 300).toFixed(3)}  ${(read.ms / 1_000).toFixed(3)}`)
  } finally {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The pages of a file keep their size. */
function createWithPages(file: string, pageBytes: number) {
  const sqlite = new Sqlite(file)
  sqlite.pragma(`page_size = ${pageBytes}`)
  sqlite.pragma('auto_vacuum = 2')
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec('create table sized (n integer); drop table sized')
  sqlite.close()
}

interface Mailbox { accountId: string, addressId: string, address: string }

async function openMailbox(db: Database, owner: Owner): Promise<Mailbox> {
  const created = await inTransaction(db, (tx) =>
    issueAddress(tx, owner, { alias: 'bench', domain: 'mail.example', domainId: null, lifetimeSeconds: 1e6 }))
  return { accountId: owner.accountId, addressId: created!.id, address: created!.address }
}

async function publishMany(db: Database, mailbox: Mailbox, source: Buffer, count: number, group: number) {
  const parsed = readMessage(source)
  for (let stored = 0; stored < count; stored += group) {
    await inTransaction(db, async (tx) => {
      for (let i = 0; i < group; i++) {
        const recipients = [{ ...mailbox, emailId: db.newId() }]
        const envelope = { sender: 'shop@example.org', recipients, remoteAddress: '192.0.2.1', helo: 'mx.example.org', tls: false }
        await publish(tx, { id: db.newId(), receivedAt: tx.now, size: source.length, envelope }, parsed, { source })
      }
    })
    checkpointIfDue(db)
  }
  db.engine.file!.checkpoint()
}

function checkpointIfDue(db: Database) {
  if (db.engine.file!.takeCheckpointTurn()) db.engine.file!.checkpoint()
}

/** Bytes of the file in use, without the write-ahead log, which the last checkpoint has copied to the file. */
function sizeOf(db: Database) {
  return db.engine.file!.bytes().data - db.engine.file!.freeBytes()
}

interface Cost { ms: number, writtenBytes: number }

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, written] = [process.cpuUsage(), writtenBytes()]
  await work()
  return { ms: processorMs(cpu), writtenBytes: writtenBytes() - written }
}

/** Bytes that this process has passed to write calls, on Linux. */
function writtenBytes() {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))![1])
}

function show({ ms, writtenBytes: bytes }: Cost, count: number) {
  return `${(ms / count).toFixed(3)} ms ${(bytes / count / 1000).toFixed(1).padStart(6)} kB`
}

async function repeat(count: number, work: (i: number) => Promise<unknown>) {
  for (let i = 0; i < count; i++) await work(i)
}
