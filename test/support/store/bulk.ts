import Sqlite from 'better-sqlite3'
import { insertAttachments } from '../../../server/store/mail/attachments.ts'
import { insertMessage } from '../../../server/store/mail/messages.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'
import { insertEmail } from '../../../server/store/mail/emails.ts'
import { openIndexer } from '../../../server/store/search/search-index.ts'
import type { Account, Prepare } from '../../attack/scenario.ts'
import { rawSql } from './raw-sql.ts'

/** Data that an account has after some weeks, stored before the server starts. */

const count = 100_000
/** The newest mails have long bodies, the others one line. */
const longBodies = { count: 100, characters: 64 * 1024 }

/** A different time for each mail, at most an hour ago. */
const timeOf = `(${Date.now() - 3_600_000} + i)`
const idOf = `(substr(printf('%012x', ${timeOf}), 1, 8) || '-' || substr(printf('%012x', ${timeOf}), 9) || '-7000-8000-000000000000')`
const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`

/** 100,000 mails with the word "code", indexed. */
export const storeMails: Prepare = async (db, file, { id, addressId, address }) => {
  const body = `case when i > ${count - longBodies.count} then '${'long code '.repeat(longBodies.characters / 10)}' else 'code ' || (i % 10) end`
  inSql(file, `
    ${numbers} insert into messages (id, received_at, size, has_attachments, from_address, from_name, subject, preview, envelope,
        codes, links, headers, body_text, body_html, source)
      select ${idOf}, ${timeOf}, 100, 0, 'a@example.org', '', 'code', 'code', '{}', '[]', '[]', '{}', ${body}, '', x'' from n;
    ${numbers} insert into emails (id, account_id, mode, address_id, message_id, type, recipient, received_at, seq)
      select ${idOf}, '${id}', 'live', '${addressId}', ${idOf}, 'received', '${address}', ${timeOf}, i - ${count} from n;
    insert into message_excerpts (message_id, body_text, body_html)
      select id, substr(body_text, 1, 1001), '' from messages where length(body_text) > 16384;
    insert into email_counts (owner, type, is_deleted, total, ever, unread)
      select value, 'received', 0, ${count}, ${count}, iif(value = '${addressId}', ${count}, 0) from json_each('["${addressId}", "${id}/live"]')`)
  const index = openIndexer(db)
  while (await index({ limit: 500 }) > 0) { /* all of them */ }
  const [oldest] = await rawSql<{ id: string }>(db, 'select min(id) as id from emails')
  return { oldestEmailId: oldest!.id }
}

/** 100,000 events that a reader of `GET /events` has missed. */
export const storeEvents: Prepare = async (_db, file, { id, addressId }) => {
  const data = JSON.stringify({ emailId: addressId, addressId, from: 'a@example.org', subject: 'Your code', receivedAt: new Date().toISOString() })
  inSql(file, `${numbers} insert into outbox (id, account_id, mode, event, data, created_at)
    select ${idOf}, '${id}', 'live', 'email.received', '${data}', ${timeOf} from n`)
  return {}
}

/** A mail with an attachment of 20 MB. */
export const storeAttachment: Prepare = async (db, _file, account) => {
  const lines = 350_000
  const source = Buffer.from(`${'A'.repeat(76)}\r\n`.repeat(lines))
  const attachmentBytes = 57 * lines
  const [emailId, messageId, attachmentId] = [db.newId(), db.newId(), db.newId()]
  await inTransaction(db, async (tx) => {
    await insertMessage(tx, {
      id: messageId, receivedAt: tx.now, sizeBytes: source.length, hasAttachments: true, from: 'a@example.org', fromName: '', subject: 'large', preview: '',
      problem: null, envelope: {}, codes: [], codeDetails: [], hasOtherCode: false, links: [], hiddenText: false, headers: {}, bodyText: '', bodyHtml: '', source,
    })
    await insertAttachments(tx, messageId, [{
      id: attachmentId, filename: 'large.bin', contentType: 'application/octet-stream', size: attachmentBytes, contentId: null, isInline: false,
      range: { offset: 0, length: source.length, encoding: 'base64' },
    }])
    await insertEmail(tx, ownerOf(account), { ...receivedBy(account), id: emailId, messageId, receivedAt: tx.now }, attachmentBytes)
  })
  return { emailId, attachmentId }
}

/** Unread mails that can be changed. */
export const storeSmallMails: Prepare = async (db: Database, _file, account) => {
  const ids = Array.from({ length: 100 }, () => db.newId())
  await inTransaction(db, async (tx) => {
    for (const id of ids) {
      await insertMessage(tx, {
        id, receivedAt: tx.now, sizeBytes: 4, hasAttachments: false, from: 'a@example.org', fromName: '', subject: 's', preview: '', problem: null,
        envelope: {}, codes: [], codeDetails: [], hasOtherCode: false, links: [], hiddenText: false, headers: {}, bodyText: 'text', bodyHtml: '', source: Buffer.from('text'),
      })
      await insertEmail(tx, ownerOf(account), { ...receivedBy(account), id, messageId: id, receivedAt: tx.now }, 4)
    }
  })
  return { emailIds: ids.join() }
}

const ownerOf = ({ id }: Account) => ({ accountId: id, mode: 'live' }) as const

const receivedBy = ({ addressId, address }: Account) => ({ addressId, type: 'received', recipient: address, isRead: false }) as const

/** Runs the statements in one transaction. */
function inSql(file: string, statements: string) {
  const sqlite = new Sqlite(file, { timeout: 10_000 })
  try {
    sqlite.exec(`begin immediate; ${statements}; commit`)
  } finally {
    sqlite.close()
  }
}
