import { timestamp } from '../../clock.ts'
import { searchAddress } from '../../domain/address-mail.ts'
import { once } from '../../domain/receiving.ts'
import { invalidInput, nothingFound } from '../../errors.ts'
import { CR, LF } from '../../line-endings.ts'
import { mailTotals } from '../../store/mail/address-mail.ts'
import type { MailHead } from '../../store/mail/address-mail.ts'
import { readSource } from '../../store/mail/message-chunks.ts'
import type { CompatibleCall, CompatibleRoutes } from './compatible-call.ts'
import { pageIn } from './compatible-query.ts'
import type { CompatibleReply } from './compatible-reply.ts'

const maxListed = 250
/** Maximum bytes of the JSON of a source, which an answer has several times: a longer mail is cut. */
const maxSourceBytes = 4 * 1024 * 1024
/** Maximum parts of a mail, bytes of their JSON, and levels of parts within parts. */
const maxParts = 1_000
const maxPartsBytes = 2 * maxSourceBytes
const maxLevels = 5
/** Maximum characters of the header of a mail or a part. */
const maxHeaderChars = 64 * 1024

const json = (value: unknown): CompatibleReply => ({ json: value, type: 'text/json; charset=utf-8' })
const done: CompatibleReply = { text: '', type: 'text/json; charset=utf-8' }

/** The APIs v1 and v2 of MailHog 1.0. */
export const mailhog: CompatibleRoutes = {
  toError: (message) => ({ text: message }),
  routes: [
    {
      method: 'GET', path: /^\/api\/v2\/messages\/?$/, operationId: 'emails.list',
      async answer(call) {
        const page = pageIn(call.query, 'start', maxListed)
        const { total } = await mailTotals(call.app.db, call.address.id)
        const items = await call.encodeMails(await call.listIds(page), showMail)
        return json({ total, count: items.length, start: page.offset, items })
      },
    },
    {
      method: 'GET', path: /^\/api\/v2\/search\/?$/, operationId: 'emails.list',
      async answer(call) {
        const [kind = '', query] = [call.query.get('kind') ?? '', call.query.get('query')]
        if (!query || !['from', 'to', 'containing'].includes(kind)) throw invalidInput('query.kind must be from, to or containing, and query.query a text.')
        const text = query.toLowerCase()
        const found = await searchAddress(call.app, call.address, {
          words: kind === 'containing' ? query : '',
          excluded: [],
          matches: (head) => kind === 'containing' || isNamed(head, kind, text),
        }, call.turn)
        const { offset: start, limit } = pageIn(call.query, 'start', maxListed)
        const items = await call.encodeMails(found.slice(start, start + limit).map(({ id }) => id), showMail)
        return json({ total: found.length, count: items.length, start, items })
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/messages\/?$/, operationId: 'emails.list',
      answer: async (call) => json(await call.encodeMails(await call.listIds({ limit: maxListed, offset: 0 }), showMail)),
    },
    {
      method: 'DELETE', path: /^\/api\/v1\/messages\/?$/, operationId: 'emails.delete',
      async answer(call) {
        await call.deleteMail()
        return done
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/messages\/([^/]+)\/?$/, operationId: 'emails.get',
      answer: async (call) => json(await showMail(call, await call.findMail(call.path[0]!))),
    },
    {
      method: 'DELETE', path: /^\/api\/v1\/messages\/([^/]+)\/?$/, operationId: 'emails.delete',
      async answer(call) {
        const { id } = await call.findMail(call.path[0]!)
        await call.deleteMail([id])
        return done
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/messages\/([^/]+)\/download\/?$/, operationId: 'emails.raw',
      async answer(call) {
        const { id, messageId, size } = await call.findMail(call.path[0]!)
        return { contentType: 'message/rfc822', filename: `${id}.eml`, size, content: readSource(call.app.db, messageId) }
      },
    },
    {
      method: 'GET', path: /^\/api\/v1\/messages\/([^/]+)\/mime\/part\/(\d+)\/download\/?$/, operationId: 'emails.attachment',
      async answer(call) {
        const [, number] = call.path
        const head = await call.findMail(call.path[0]!)
        const part = (await showMail(call, head)).MIME?.Parts[Number(number)]
        if (!part) throw nothingFound('There is no part with this number.')
        const isBase64 = part.Headers['Content-Transfer-Encoding']?.[0]?.toLowerCase() === 'base64'
        const content = Buffer.from(part.Body, isBase64 ? 'base64' : 'utf8')
        const [type] = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.exec(part.Headers['Content-Type']?.[0] ?? '') ?? ['application/octet-stream']
        return { contentType: type, filename: `${head.id}-part-${number}`, size: content.length, content: once(content) }
      },
    },
    {
      method: 'POST', path: /^\/api\/v1\/messages\/([^/]+)\/release\/?$/,
      answer: () => ({ text: 'Mayfly does not release mail to other servers by this API.', status: 404 }),
    },
    { method: 'GET', path: /^\/api\/v2\/jim\/?$/, answer: () => ({ text: '', status: 404 }) },
    { method: 'GET', path: /^\/api\/v2\/outgoing-smtp\/?$/, answer: () => json({}) },
  ],
}

/** Whether a sender or a recipient of the envelope, or the field of the header, has a text. */
function isNamed({ envelope, recipients, headers }: MailHead, kind: string, text: string): boolean {
  const fields = Object.entries(headers).filter(([name]) => name.toLowerCase() === kind).map(([, value]) => value)
  return [...kind === 'to' ? recipients : [envelope.sender], ...fields].some((value) => value.toLowerCase().includes(text))
}

async function showMail({ app: { db }, turn }: CompatibleCall, head: MailHead) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of readSource(db, head.messageId)) {
    chunks.push(chunk)
    bytes += Buffer.byteLength(JSON.stringify(Buffer.from(chunk).toString()))
    if (bytes >= maxSourceBytes) break
    await turn()
  }
  const source = Buffer.concat(chunks).toString().replace(/\r\n$/, '') // before the final dot, as MailHog reads DATA
  const { sender, helo, remoteAddress } = head.envelope
  const { content, parts } = splitMail(source, maxPartsBytes * source.length / Math.max(1, bytes))
  content.Headers['Message-ID'] ??= content.Headers['Message-Id'] ?? [head.id]
  ;(content.Headers['Received'] ??= []).push(`from ${helo} (${remoteAddress}) by Mayfly id ${head.id}`)
  content.Headers['Return-Path'] = [...content.Headers['Return-Path'] ?? [], `<${sender}>`]
  return {
    ID: head.id,
    From: toPath(sender),
    To: head.recipients.map(toPath),
    Content: content,
    Created: timestamp(head.receivedAt),
    MIME: parts ? { Parts: parts } : null,
    Raw: { From: sender, To: head.recipients, Data: source, Helo: helo },
  }
}

function toPath(address: string) {
  const at = address.lastIndexOf('@')
  return { Relays: null, Mailbox: at < 0 ? address : address.slice(0, at), Domain: at < 0 ? '' : address.slice(at + 1), Params: '' }
}

interface Content {
  Headers: Record<string, string[]>
  /** As it is encoded in the source. */
  Body: string
  Size: number
  MIME: { Parts: Content[] } | null
}

/**
 * Splits a mail into its header, its body and the parts of that; undefined for a body without parts.
 * @param maxChars of all parts: those within others count again
 */
export function splitMail(source: string, maxChars = maxPartsBytes): { content: Content, parts: Content[] | undefined } {
  const content = toContent(source)
  return { content, parts: isMultipart(content) ? splitParts(content, { parts: maxParts, chars: maxChars }, maxLevels) : undefined }
}

/** The header and the body of a mail or a part, as MailHog splits them: neither is decoded. */
function toContent(source: string): Content {
  const end = source.indexOf('\r\n\r\n')
  const header = source.slice(0, Math.max(0, Math.min(end, maxHeaderChars)))
  const fields = new Map<string, string[]>()
  for (const line of header.replaceAll(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const [, name, value = ''] = /^([^\s:]{1,200}):[ \t]*([^]*)$/.exec(line) ?? []
    if (name === undefined) continue
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return {
    Headers: Object.fromEntries(fields),
    Body: end < 0 ? source : source.slice(end + 4),
    Size: Buffer.byteLength(source),
    MIME: null,
  }
}

/** A text without the line breaks at its beginning and its end. */
function withoutLineBreaks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isLineBreak(text.charCodeAt(start))) start++
  while (end > start && isLineBreak(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isLineBreak = (code: number) => code === CR || code === LF

const typeOf = ({ Headers }: Content) => Object.entries(Headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1][0] ?? ''

const isMultipart = (content: Content) => /^multipart\//i.test(typeOf(content))

/** @param left the number of parts that are still shown, and their characters */
function splitParts(content: Content, left: { parts: number, chars: number }, levels: number): Content[] {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(typeOf(content)) ?? []
  const boundary = quoted ?? plain
  if (!boundary) return []
  const parts: Content[] = []
  for (const text of content.Body.split(`--${boundary}`, left.parts + 2).slice(1, -1)) {
    left.chars -= text.length
    if (left.parts-- <= 0 || left.chars < 0) break
    const part = toContent(withoutLineBreaks(text))
    if (levels > 1 && isMultipart(part)) part.MIME = { Parts: splitParts(part, left, levels - 1) }
    parts.push(part)
  }
  return parts
}
