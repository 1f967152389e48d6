import type { IncomingMessage, ServerResponse } from 'node:http'
import { domainToASCII } from 'node:url'
import { fixed, json, openFaultServer } from './fault-server.ts'
import type { FaultServer } from './fault-server.ts'

export const addressId = '019ceb92-ea80-752e-bca9-6513269e0d37'

/** The members of an email that a test sets; `at` is the time of its arrival in ms. */
export interface FakeMail {
  at?: number
  seq?: number
  subject?: string
  from?: string
  fromName?: string
  addressId?: string
  bodyText?: string
  codes?: string[]
  links?: { text: string, url: string }[]
}

export interface FakeMailbox extends FaultServer {
  /** The server's clock, which stands still. */
  now: number
  /** Makes an email visible; `at` is the time of its arrival. @returns its id */
  publish(email?: FakeMail): string
  /** Answers in place of the mailbox; false leaves the answer to the mailbox. */
  intercept: (request: IncomingMessage, response: ServerResponse, nth: number) => boolean
  /** Resolves when the request of this number has arrived, from 1 on. */
  requested(nth: number): Promise<void>
  /** The parameters of each request for a list. */
  queries(): Record<string, string>[]
  limit: { limit: number, remaining: number } | undefined
  /** Number of waiting requests. */
  waiting(): number
}

/** A server whose test decides which email becomes visible when. */
export async function openFakeMailbox(): Promise<FakeMailbox> {
  /** In the order in which they became visible. */
  const emails = new Map<string, { id: string } & Record<string, unknown>>()
  const numberOf = (id: string) => [...emails.keys()].indexOf(id) + 1
  const cursorOf = (number: number) => `c1-${number}`
  /** Emails after a cursor, or after an email; after other ids, those that arrived later. */
  function emailsAfter(after: string) {
    const number = after.startsWith('c1-') ? Number(after.slice(3)) : numberOf(after)
    return [...emails.values()].filter(({ id }) => number > 0 || after === cursorOf(0) ? numberOf(id) > number : id > after)
  }
  const waiting = new Map<number, () => void>()
  const asking = new Set<() => void>()
  const server = await openFaultServer((request, response) => {
    waiting.get(server.requests.length)?.()
    if (mailbox.intercept(request, response, server.requests.length)) return
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    const [, noun, id] = /^\/api\/v1\/(\w+)\/?(.*)$/.exec(pathname)!
    if (request.method === 'POST') return json(201, { data: createdAddress })(request, response)
    if (noun === 'emails' && !id) return json(200, list(searchParams), headers())(request, response)
    if (id === 'wait') return wait(searchParams, request, response)
    const email = emails.get(id!)
    if (noun === 'addresses') return json(404, { error: 'Address not found.', code: 'NOT_FOUND' })(request, response)
    if (!email) return json(404, { error: 'Email not found.', code: 'NOT_FOUND' })(request, response)
    return json(200, { data: whole(email) })(request, response)
  })

  const whole = (email: object) => ({ ...ofWholeEmail, ...email })

  /** Waits as the server does, for text in the subject and for a whole recipient only. */
  function wait(query: URLSearchParams, request: IncomingMessage, response: ServerResponse) {
    const [after, subject] = [query.get('after') ?? '', (query.get('subject') ?? '').toLowerCase()]
    const look = () => {
      const to = query.get('to')
      const found = emailsAfter(after).find((email) =>
        String(email.subject).toLowerCase().includes(subject) && (to === null || isFor(email, to)))
      if (!found) return
      asking.delete(look)
      json(200, { data: whole(found) }, { ...headers(), 'x-mayfly-cursor': cursorOf(numberOf(found.id)) })(request, response)
    }
    asking.add(look)
    response.on('close', () => asking.delete(look))
    look()
  }

  function list(query: URLSearchParams) {
    const matching = emailsAfter(query.get('after') ?? '').sort((a, b) => a.id < b.id ? 1 : -1)
    const rest = matching.filter(({ id }) => id < (query.get('before') ?? '~'))
    const limit = Number(query.get('limit') ?? 50)
    const offset = Number(query.get('offset') ?? 0)
    const data = rest.slice(offset, offset + limit)
    const hasMore = offset + data.length < rest.length
    const serverTime = new Date(mailbox.now).toISOString()
    return { data, total: matching.length, limit, offset, hasMore, cursor: cursorOf(emails.size), serverTime }
  }

  const headers = (): Record<string, string> => mailbox.limit ? {
    'x-ratelimit-limit': String(mailbox.limit.limit),
    'x-ratelimit-remaining': String(--mailbox.limit.remaining),
    'x-ratelimit-reset': String(Math.ceil(mailbox.now / 60_000) * 60),
  } : {}

  const mailbox: FakeMailbox = {
    ...server,
    now: Date.UTC(2026, 2, 14, 9, 0, 30),
    limit: undefined,
    waiting: () => asking.size,
    intercept: () => false,
    publish({ at = mailbox.now, seq = emails.size, addressId: of = addressId, ...members } = {}) {
      const id = idAt(at, seq)
      emails.set(id, { ...sample, id, addressId: of, receivedAt: new Date(at), ...members })
      for (const look of [...asking]) look()
      return id
    },
    requested: (nth) => new Promise((resolve) => {
      waiting.set(nth, resolve)
      if (server.requests.length >= nth) resolve()
    }),
    queries: () => server.requests.filter((request) => request.startsWith('GET /api/v1/emails?'))
      .map((request) => Object.fromEntries(new URLSearchParams(request.split('?')[1]))),
  }
  return mailbox
}

/** Compares the recipients as the server does: domains as A-labels. @param filter a whole address, or `*@domain` */
function isFor({ recipients, to }: Record<string, unknown>, filter: string): boolean {
  const [wanted, ...addresses] = [filter, ...(recipients ?? [to]) as string[]].map((address) =>
    address.toLowerCase().replace(/[^@]+$/, (domain) => domainToASCII(domain)))
  return addresses.some((address) => wanted!.startsWith('*') ? address.endsWith(wanted!.slice(1)) : address === wanted)
}

const createdAddress = {
  id: addressId, address: 'a@mail.localhost', alias: 'a', isActive: true,
  createdAt: '2026-03-14T09:00:00.000Z', expiresAt: '2026-03-14T10:00:00.000Z', emailCount: 0, unreadCount: 0, lastEmailAt: null, hasSmtpLogin: false, lastLoginAt: null, allowedSenders: [], blockedSenders: [],
  forwarding: null, smtp: null, cursor: 'c1-0',
}

const sample = {
  type: 'received', from: 'shop@example.org', fromName: 'Shop', to: 'a@mail.localhost', subject: 'Hello', status: null, isRead: false,
  isStarred: false, isDeleted: false, preview: '', bodyText: '', bodyHtml: '', isTruncated: false, recipientsTotal: 1, hasAttachments: false,
  codes: [], links: [], linkHost: null, hiddenText: false, warnings: [], codeDetails: [],
}

const ofWholeEmail = {
  attachments: [], headers: {}, references: [], threadId: '0'.repeat(32), sentAt: null, size: 1_000, authentication: null, forwarding: null, recipients: ['a@mail.localhost'],
}

/** A UUIDv7 of a time. */
export function idAt(ms: number, seq: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${seq.toString(16).padStart(3, '0')}-8000-000000000001`
}

export { fixed, json }
