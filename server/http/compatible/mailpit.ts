import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { timestamp } from '../../clock.ts'
import type { Email } from '../../contract/types.gen.ts'
import { fieldOf } from '../../domain/address-mail.ts'
import type { FoundMail, NamedMailbox } from '../../domain/address-mail.ts'
import { readAttachment, readEmail } from '../../domain/stored-mail.ts'
import { invalidInput, noAttachment, nothingFound } from '../../errors.ts'
import { findAttachment } from '../../store/mail/attachments.ts'
import { findMailHeads, mailTotals } from '../../store/mail/address-mail.ts'
import type { MailHead } from '../../store/mail/address-mail.ts'
import { readSource } from '../../store/mail/message-chunks.ts'
import { readVersion } from '../../version.ts'
import { linkImages, withParticipants } from './compatible-call.ts'
import type { CompatibleCall, CompatibleRoute, CompatibleRoutes, ListedMail } from './compatible-call.ts'
import { idsIn, pageIn } from './compatible-query.ts'
import type { CompatibleReply } from './compatible-reply.ts'
import { searchMail, searchToChange } from './mailpit-search.ts'

const maxListed = 250

const ok: CompatibleReply = { text: 'ok' }

/** The API v1 of Mailpit 1.x. */
export const mailpit: CompatibleRoutes = {
  toError: (message) => ({ text: message }),
  routes: [
    {
      method: 'GET', path: /^\/api\/v1\/messages$/, operationId: 'emails.list',
      async answer(call) {
        const page = pageIn(call.query, 'start', maxListed)
        const { total, unread } = await mailTotals(call.app.db, call.address.id)
        return toList(call, await call.listIds(page), { total, unread, matching: { total, unread }, start: page.offset })
      },
    },
    {
      method: 'PUT', path: /^\/api\/v1\/messages$/, operationId: 'emails.update', takesBody: true,
      async answer(call) {
        const ids = idsIn(call.body, 'IDs') ?? []
        const { Search: search = '', Read: isRead = false } = call.body
        if (typeof isRead !== 'boolean') throw invalidInput('body.Read: must be true or false.')
        if (typeof search !== 'string') throw invalidInput('body.Search: must be a text.')
        if (search && ids.length > 0) throw invalidInput('You may specify either IDs or a search query, not both')
        const found = search ? idsOf(await searchToChange(call, search)) : await call.ownIds(ids)
        await call.markMail(isRead, search || ids.length > 0 ? found : undefined)
        return ok
      },
    },
    {
      method: 'DELETE', path: /^\/api\/v1\/messages$/, operationId: 'emails.delete', takesBody: true,
      async answer(call) {
        const ids = idsIn(call.body, 'IDs') ?? []
        await call.deleteMail(ids.length > 0 ? await call.ownIds(ids) : undefined)
        return ok
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/search$/, operationId: 'emails.list',
      async answer(call) {
        const found = await searchMail(call, queryOf(call))
        const { offset: start, limit } = pageIn(call.query, 'start', maxListed)
        const matching = { total: found.length, unread: found.filter(({ isRead }) => !isRead).length }
        const totals = await mailTotals(call.app.db, call.address.id)
        return toList(call, idsOf(found.slice(start, start + limit)), { ...totals, matching, start })
      },
    },
    {
      method: 'DELETE', path: /^\/api\/v1\/search$/, operationId: 'emails.delete',
      async answer(call) {
        await call.deleteMail(idsOf(await searchToChange(call, queryOf(call))))
        return ok
      },
    },
    { method: 'GET', path: /^\/api\/v1\/message\/([^/]+)$/, operationId: 'emails.get', answer: async (call) => ({ json: await showMail(call) }) },
    {
      method: 'GET', path: /^\/api\/v1\/message\/([^/]+)\/headers$/, operationId: 'emails.get',
      async answer(call) {
        const { headers } = await findNamed(call)
        const fields = Object.entries(headers).map(([name, value]) => [canonicalName(name), value.split('\n')] as const)
        return { json: Object.fromEntries(fields.sort(([a], [b]) => a < b ? -1 : 1)) }
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/message\/([^/]+)\/raw$/, operationId: 'emails.raw',
      async answer(call) {
        const { id, messageId, size } = await findNamed(call)
        return { contentType: 'text/plain; charset=utf-8', filename: `${id}.eml`, size, content: readSource(call.app.db, messageId) }
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/message\/([^/]+)\/part\/([^/]+)$/, operationId: 'emails.attachment',
      async answer(call) {
        const { id } = await findNamed(call)
        const attachment = await findAttachment(call.app.db, call.caller, id, call.path[1]!.toLowerCase())
        if (!attachment) throw noAttachment()
        const { contentType, filename, size } = attachment
        return { contentType, filename, size, content: readAttachment(call.app.db, attachment) }
      },
    },
    {
      method: 'GET', path: /^\/view\/([^/]+)\.html$/, operationId: 'emails.get',
      async answer(call) {
        const { email } = await openMail(call)
        if (email.bodyHtml === '') throw nothingFound('This message does not contain a HTML part')
        const urls = email.attachments.flatMap(({ contentId, id }) =>
          contentId === null ? [] : [[contentId, `${call.basePath}/api/v1/message/${email.id}/part/${id}`] as const])
        return { html: linkImages(email.bodyHtml, new Map(urls)) }
      },
    },
    { method: 'GET', path: /^\/view\/([^/]+)\.txt$/, operationId: 'emails.get', answer: async (call) => ({ text: (await openMail(call)).email.bodyText }) },
    { method: 'GET', path: /^\/api\/v1\/info$/, operationId: 'addresses.get', answer: showInfo },
    { method: 'GET', path: /^\/api\/v1\/webui$/, answer: () => ({ json: settings }) },
    { method: 'GET', path: /^\/api\/v1\/tags$/, answer: () => ({ json: [] }) },
    notAvailable('PUT', /^\/api\/v1\/tags(?:\/.*)?$/, 'Tags are not available.'),
    notAvailable('DELETE', /^\/api\/v1\/tags\/.*$/, 'Tags are not available.'),
    notAvailable('GET', /^\/api\/v1\/chaos$/, 'Chaos is not enabled'),
    notAvailable('PUT', /^\/api\/v1\/chaos$/, 'Chaos is not enabled'),
    notAvailable('POST', /^\/api\/v1\/send$/, 'Sending is not available here. Send over SMTP with this login.'),
    notAvailable('POST', /^\/api\/v1\/message\/[^/]+\/release$/, 'SMTP relay is not enabled'),
    notAvailable('GET', /^\/api\/v1\/message\/[^/]+\/(?:html|link|sa)-check$/, 'The checks of messages are not available.'),
  ],
}

/** Mailpit answers 400 with a text where a feature is off. */
function notAvailable(method: CompatibleRoute['method'], path: RegExp, text: string): CompatibleRoute {
  return { method, path, answer: () => ({ text, status: 400 }) }
}

const idsOf = (found: FoundMail[]) => found.map(({ id }) => id)

function queryOf(call: CompatibleCall): string {
  const query = call.query.get('query')?.trim()
  if (!query) throw invalidInput('Error: no search query')
  return query
}

/** The mail that the path names: by its id, or `latest`, perhaps of a search. @throws AppError `NOT_FOUND` */
async function findNamed(call: CompatibleCall): Promise<MailHead> {
  const [name = ''] = call.path
  if (name !== 'latest') return call.findMail(name)
  const query = call.query.get('query')?.trim()
  const [id] = query ? idsOf(await searchMail(call, query)) : await call.listIds({ limit: 1, offset: 0 })
  const [latest] = await findMailHeads(call.app.db, id === undefined ? [] : [id])
  if (!latest) throw nothingFound('Message not found')
  return latest
}

/** Reads a mail whole, and marks it as read. */
async function openMail(call: CompatibleCall): Promise<{ head: MailHead, email: Email }> {
  const head = await findNamed(call)
  const email = await readEmail(call.app.db, call.caller, head.id)
  if (!email) throw nothingFound('Message not found')
  if (!head.isRead) await call.markMail(true, [head.id])
  return { head, email }
}

const mailbox = ({ name, address }: NamedMailbox) => ({ Name: name, Address: address })

const shared = ({ address }: CompatibleCall, mail: ListedMail) => ({
  ID: mail.id,
  MessageID: fieldOf(mail, 'message-id').replaceAll(/^<|>$/g, ''),
  From: mailbox(mail.from),
  To: mail.to.map(mailbox),
  Cc: mail.cc.map(mailbox),
  Bcc: mail.bcc.map(mailbox),
  ReplyTo: mail.replyTo.map(mailbox),
  Subject: mail.subject,
  Tags: [],
  Username: mail.isOfLogin ? address.address : '',
  Size: mail.size,
})

interface Counts { total: number, unread: number }

type ListCounts = Counts & { matching: Counts, start: number }

async function toList(call: CompatibleCall, ids: string[], list: ListCounts): Promise<CompatibleReply> {
  const messages = await call.encodeMails(ids, showListed)
  return {
    json: {
      total: list.total,
      unread: list.unread,
      count: messages.length,
      ['messages_count']: list.matching.total,
      ['messages_unread']: list.matching.unread,
      start: list.start,
      tags: [],
      messages,
    },
  }
}

const showListed = (call: CompatibleCall, head: MailHead) => ({
  ...shared(call, withParticipants(head)),
  Read: head.isRead,
  Created: timestamp(head.receivedAt),
  Attachments: head.attachments,
  Snippet: head.preview,
})

async function showMail(call: CompatibleCall) {
  const { head, email } = await openMail(call)
  const mail = withParticipants(head)
  const [Inline, Attachments]: object[][] = [[], []]
  for (const file of email.attachments) (file.isInline ? Inline : Attachments)!.push(await showFile(call, email.id, file))
  const date = Date.parse(fieldOf(mail, 'date'))
  const unsubscribe = fieldOf(mail, 'list-unsubscribe')
  return {
    ...shared(call, mail),
    ReturnPath: mail.envelope.sender || mail.from.address,
    ListUnsubscribe: {
      Header: unsubscribe,
      Links: Array.from(unsubscribe.matchAll(/<([^<>\s]+)>/g), ([, link]) => link),
      Errors: '',
      HeaderPost: fieldOf(mail, 'list-unsubscribe-post'),
    },
    Date: timestamp(Number.isNaN(date) ? mail.receivedAt : date),
    Text: email.bodyText,
    HTML: email.bodyHtml,
    Inline,
    Attachments,
  }
}

/** The checksums need the content of the file, which is read in turns of the account. */
async function showFile(call: CompatibleCall, emailId: string, { id, filename, contentType, contentId, size }: Email['attachments'][number]) {
  const hashes: Record<string, Hash> = { MD5: createHash('md5'), SHA1: createHash('sha1'), SHA256: createHash('sha256') }
  const stored = await findAttachment(call.app.db, call.caller, emailId, id)
  for await (const bytes of stored ? readAttachment(call.app.db, stored) : []) {
    for (const hash of Object.values(hashes)) hash.update(bytes)
    await call.turn()
  }
  const Checksums = Object.fromEntries(Object.entries(hashes).map(([name, hash]) => [name, hash.digest('hex')]))
  return { PartID: id, FileName: filename, ContentType: contentType, ContentID: contentId ?? '', Size: size, Checksums }
}

/** As Go writes the names of fields: `Message-Id`. */
const canonicalName = (name: string) => name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** Figures of the server are not shown to an account. */
async function showInfo(call: CompatibleCall): Promise<CompatibleReply> {
  const { total, unread } = await mailTotals(call.app.db, call.address.id)
  const version = `v${readVersion()}`
  return {
    json: {
      Version: version, LatestVersion: version, Database: 'mayfly', DatabaseSize: 0, Messages: total, Unread: unread, Tags: {},
      RuntimeStats: { Uptime: 0, Memory: 0, MessagesDeleted: 0, SMTPAccepted: total, SMTPAcceptedSize: 0, SMTPRejected: 0, SMTPIgnored: 0 },
    },
  }
}

const settings = {
  Label: '',
  MessageRelay: {
    Enabled: false, SMTPServer: '', ReturnPath: '', AllowedRecipients: '', BlockedRecipients: '', OverrideFrom: '', PreserveMessageIDs: false,
    RecipientAllowlist: '',
  },
  SpamAssassin: false,
  ChaosEnabled: false,
  DuplicatesIgnored: false,
  HideDeleteAllButton: false,
}
