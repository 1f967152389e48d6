import { extname } from 'node:path'
import { timestamp } from '../../clock.ts'
import type { Email } from '../../contract/types.gen.ts'
import { fieldOf, searchAddress } from '../../domain/address-mail.ts'
import type { NamedMailbox } from '../../domain/address-mail.ts'
import { readAttachment, readEmail } from '../../domain/stored-mail.ts'
import { nothingFound } from '../../errors.ts'
import { mailTotals } from '../../store/mail/address-mail.ts'
import type { MailHead } from '../../store/mail/address-mail.ts'
import { findAttachment } from '../../store/mail/attachments.ts'
import { readSource } from '../../store/mail/message-chunks.ts'
import { readVersion } from '../../version.ts'
import { linkImages, withParticipants } from './compatible-call.ts'
import type { CompatibleCall, CompatibleRoute, CompatibleRoutes } from './compatible-call.ts'
import { idsIn, numberIn, pageIn } from './compatible-query.ts'

/** Maximum mails of a list, also of one without a limit. */
const maxListed = 200

/** The API of MailDev 3, which begins with `/api`, and of MailDev 2, which does not. */
export const maildev: CompatibleRoutes = {
  toError: (message) => ({ json: { error: message } }),
  routes: [
    route('GET', 'email/summary', 'emails.list', async (call) => {
      const search = call.query.get('search')?.trim() ?? ''
      const isUnread = call.query.get('unread') === 'true'
      const { offset: skip, limit } = pageIn(call.query, 'skip', maxListed)
      const counts = await mailTotals(call.app.db, call.address.id)
      const isNewestFirst = call.query.get('sort') !== 'asc'
      const { ids, total } = search || isUnread
        ? await findPage(call, { words: search, matches: (head) => !isUnread || !head.isRead }, { skip, limit, isNewestFirst })
        : { ids: await listPage(call, counts.total, { skip, limit, isNewestFirst }), total: counts.total }
      const items = await call.encodeMails(ids, toSummary)
      return { json: { items, total, storeTotal: counts.total, unread: counts.unread, skip, limit } }
    }),
    route('GET', 'email', 'emails.list', async (call) => {
      const [skip, limit] = [numberIn(call.query, 'skip', 0), numberIn(call.query, 'limit', maxListed, maxListed)]
      const page = { skip, limit, isNewestFirst: call.query.get('sort') === 'desc' }
      const filters = [...call.query].filter(([name]) => !['skip', 'limit', 'sort'].includes(name))
      if (filters.length > 0) {
        const matches = (head: MailHead) => {
          const email = toHeadOfEmail(head)
          return filters.every(([name, value]) => valuesAt(email, name).some((found) => String(found) === value))
        }
        return { json: await call.encodeMails((await findPage(call, { words: '', matches }, page)).ids, showMail) }
      }
      const { total } = await mailTotals(call.app.db, call.address.id)
      return { json: await call.encodeMails(await listPage(call, total, page), showMail) }
    }),
    route('DELETE', 'email/all', 'emails.delete', async (call) => {
      await call.deleteMail()
      return { json: true }
    }),
    route('PATCH', 'email/read-all', 'emails.update', async (call) => {
      const { unread } = await mailTotals(call.app.db, call.address.id)
      if (unread > 0) await call.markMail(true)
      return { json: unread }
    }),
    {
      ...route('POST', 'email/delete', 'emails.delete', async (call) => {
        const ids = [...new Set(idsIn(call.body, 'ids') ?? [])]
        const own = new Set(await call.ownIds(ids))
        const isOwn = (id: string) => own.has(id.toLowerCase())
        await call.deleteMail([...own])
        return { json: { deleted: ids.filter(isOwn), notFound: ids.filter((id) => !isOwn(id)) } }
      }),
      takesBody: true,
    },
    route('GET', 'email/([^/]+)', 'emails.get', async (call) => {
      const head = await call.findMail(call.path[0]!)
      if (!head.isRead) await call.markMail(true, [head.id])
      return { json: await showMail(call, { ...head, isRead: true }) }
    }),
    route('DELETE', 'email/([^/]+)', 'emails.delete', async (call) => {
      const { id } = await call.findMail(call.path[0]!)
      await call.deleteMail([id])
      return { json: true }
    }),
    route('GET', 'email/([^/]+)/html', 'emails.get', async (call) => {
      const { id, bodyHtml, attachments } = await readFound(call, await call.findMail(call.path[0]!))
      if (bodyHtml === '') throw nothingFound('Email has no HTML content')
      const urls = attachments.flatMap((file) =>
        file.contentId === null ? [] : [[file.contentId, `${call.basePath}/api/email/${id}/attachment/${generatedName(file)}`] as const])
      return { html: linkImages(bodyHtml, new Map(urls)) }
    }),
    route('GET', 'email/([^/]+)/source', 'emails.raw', (call) => download(call, 'text/plain; charset=utf-8')),
    route('GET', 'email/([^/]+)/download', 'emails.raw', (call) => download(call, 'message/rfc822')),
    route('GET', 'email/([^/]+)/attachment/([^/]+)', 'emails.attachment', async (call) => {
      const { id } = await call.findMail(call.path[0]!)
      const file = await findAttachment(call.app.db, call.caller, id, call.path[1]!.toLowerCase().slice(0, uuidLength))
      if (!file) throw nothingFound('Attachment not found')
      const { contentType, filename, size } = file
      return { contentType, filename, size, content: readAttachment(call.app.db, file) }
    }),
    route('POST', 'email/([^/]+)/relay(?:/[^/]*)?', undefined, () => ({ json: { error: 'Outgoing mail not configured' }, status: 404 })),
    route('GET', 'config', undefined, (call) => ({
      json: { version: readVersion(), smtpPort: call.app.smtpPort(), isOutgoingEnabled: false, outgoingHost: null },
    })),
    route('GET', 'healthz', undefined, () => ({ json: true })),
    route('GET', 'reloadMailsFromDirectory', undefined, () => ({ json: true })),
  ],
}

/** @param path a pattern */
function route(method: CompatibleRoute['method'], path: string, operationId: CompatibleRoute['operationId'], answer: CompatibleRoute['answer']): CompatibleRoute {
  return { method, path: new RegExp(`^(?:/api)?/${path}$`), operationId, answer }
}

interface ListPage { skip: number, limit: number, isNewestFirst: boolean }

/** Mails in the order of arrival, or newest first. */
async function listPage(call: CompatibleCall, total: number, { skip, limit, isNewestFirst }: ListPage): Promise<string[]> {
  if (isNewestFirst) return call.listIds({ limit, offset: skip })
  const length = Math.min(limit, total - skip)
  return length <= 0 ? [] : (await call.listIds({ limit: length, offset: total - skip - length })).reverse()
}

async function findPage(
  call: CompatibleCall, search: { words: string, matches(head: MailHead): boolean }, { skip, limit, isNewestFirst }: ListPage,
): Promise<{ ids: string[], total: number }> {
  const found = await searchAddress(call.app, call.address, { ...search, excluded: [] }, call.turn)
  if (!isNewestFirst) found.reverse()
  return { ids: found.slice(skip, skip + limit).map(({ id }) => id), total: found.length }
}

async function readFound({ app, caller }: CompatibleCall, { id }: MailHead): Promise<Email> {
  const email = await readEmail(app.db, caller, id)
  if (!email) throw nothingFound('Email was not found')
  return email
}

async function showMail(call: CompatibleCall, head: MailHead) {
  const { bodyText, bodyHtml, attachments } = await readFound(call, head)
  return {
    ...toHeadOfEmail(head),
    ...bodyHtml && { html: bodyHtml },
    ...bodyText && { text: bodyText },
    attachments: attachments.map((file) => ({
      filename: file.filename,
      generatedFileName: generatedName(file),
      contentType: file.contentType,
      contentDisposition: file.isInline ? 'inline' : 'attachment',
      ...file.contentId !== null && { contentId: file.contentId },
      size: file.size,
    })),
  }
}

const mailbox = ({ name, address }: NamedMailbox) => ({ address, name })

const shared = (mail: ReturnType<typeof withParticipants>) => {
  const date = Date.parse(fieldOf(mail, 'date'))
  return {
    id: mail.id,
    time: timestamp(Number.isNaN(date) ? mail.receivedAt : date),
    read: mail.isRead,
    subject: mail.subject,
    size: mail.size,
    sizeHuman: readableSize(mail.size),
    from: [mailbox(mail.from)],
    to: mail.to.map(mailbox),
    ...mail.cc.length > 0 && { cc: mail.cc.map(mailbox) },
  }
}

/** An email without its bodies and attachments. */
function toHeadOfEmail(head: MailHead) {
  const mail = withParticipants(head)
  const inReplyTo = fieldOf(mail, 'in-reply-to')
  return {
    ...shared(mail),
    source: `${mail.id}.eml`,
    headers: Object.fromEntries(Object.entries(mail.headers).map(([name, value]) =>
      [name.toLowerCase(), value.includes('\n') ? value.split('\n') : value])),
    envelope: { from: { address: mail.envelope.sender }, to: mail.recipients.map((address) => ({ address })) },
    calculatedBcc: mail.bcc.map(mailbox),
    ...inReplyTo && { inReplyTo },
  }
}

function toSummary(_call: CompatibleCall, head: MailHead) {
  return { ...shared(withParticipants(head)), attachmentCount: head.attachments + head.inlineFiles, preview: head.preview.slice(0, 140) }
}

/** The values at a path such as `from.address`, of which a list has several. */
function valuesAt(value: unknown, path: string): unknown[] {
  return path.split('.').slice(0, 8).reduce<unknown[]>((found, name) => found.flatMap((each) => {
    const parts = Array.isArray(each) ? each : [each]
    return parts.map((part: unknown) => typeof part === 'object' && part !== null && Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined)
  }).filter((each) => each !== undefined), [value])
}

const uuidLength = 36

/** The name of a file in its URL: the id of the attachment, with the extension of its name. */
const generatedName = ({ id, filename }: Email['attachments'][number]) => id + extname(filename).replaceAll(/[^\w.]/g, '')

async function download(call: CompatibleCall, contentType: string) {
  const { id, messageId, size } = await call.findMail(call.path[0]!)
  return { contentType, filename: `${id}.eml`, size, content: readSource(call.app.db, messageId) }
}

const units = ['Bytes', 'KB', 'MB', 'GB']

/** As MailDev writes a size: `2.5 KB`. */
function readableSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(2))} ${units[power]}`
}
