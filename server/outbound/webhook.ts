import { isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { unlessAborted, withDeadline } from '../deadline.ts'
import { isPublicTarget } from '../network.ts'
import type { Resolver } from './dns.ts'
import { networkReason, toSingleLine } from './reasons.ts'
import { findTarget, hostOf, refusalOf, TargetError } from './webhook-target.ts'
import type { TargetAddress } from './webhook-target.ts'

/** The result of one POST. */
interface WebhookAnswer {
  /** Null without a response. */
  status: number | null
  /** The first `maxKeptBytes` of the response body. */
  body: string | null
  /** The value of Retry-After: seconds, or a date. */
  retryAfter: string | null
  /** Why the delivery failed; null when it succeeded. */
  error: string | null
  durationMs: number
}

export interface WebhookSender {
  /** Returns why events must not be posted to a URL, as the end of a sentence; undefined when they may. */
  refusalOf(url: string): string | undefined
  /** Posts once. It never rejects, and its connection is closed when it resolves. */
  post(url: string, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<WebhookAnswer>
}

export interface WebhookSenderOptions {
  resolver: Resolver
  /** Whether webhooks may use http and reach this host and its network. */
  allowPrivate: boolean
  /** For look-up, connection and response together. */
  timeoutMs?: number
  /** Replaces `isPublicTarget` in tests. */
  isPublic?: (ip: string, port: number) => boolean
}

/** Maximum bytes of a response body that are kept: a list of deliveries shows as many. */
const maxKeptBytes = 4 * 1024
/** Maximum bytes that an endpoint may send in all: header, body and their framing. The connection is closed beyond. */
const maxReceivedBytes = 64 * 1024
/** Maximum interim responses (1xx) before the final one. @see RFC 9110, section 15.2 */
const maxInterimResponses = 8

/** Posts events to URLs that users choose. Against SSRF, it connects only to addresses that were checked, and follows no redirects. */
export function openWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { resolver, allowPrivate, timeoutMs = 15_000, isPublic = isPublicTarget } = options
  const isAllowed = allowPrivate ? () => true : isPublic
  return {
    refusalOf: (url) => refusalOf(url, allowPrivate),
    async post(url, headers, body, stopped) {
      const start = performance.now()
      const answer: WebhookAnswer = { status: null, body: null, retryAfter: null, error: null, durationMs: 0 }
      await withDeadline({
        timeoutMs,
        timeoutReason: new TargetError(`The endpoint did not answer within ${timeoutMs / 1000} seconds.`),
        signal: stopped,
        abortReason: new TargetError('This server was stopped.'),
      }, async (signal) => {
        try {
          const refusal = refusalOf(url, allowPrivate)
          if (refusal) throw new TargetError(`The URL ${refusal}.`)
          const target = new URL(url)
          const addresses = await unlessAborted(findTarget(resolver, target, isAllowed), signal)
          await postOnce(target, addresses, { headers, body, signal }, answer)
          answer.error = errorOf(answer.status!)
        } catch (error) {
          answer.error = reasonOf(signal.aborted ? signal.reason : error)
        }
      })
      answer.durationMs = Math.round(performance.now() - start)
      return answer
    },
  }
}

/** Posts, and reads the answer. */
async function postOnce(
  url: URL, addresses: TargetAddress[],
  request: { headers: Record<string, string>, body: Buffer, signal: AbortSignal }, answer: WebhookAnswer,
) {
  try {
    await requestOnce(url, addresses, { ...request, method: 'POST' }, async ({ statusCode, headers, body }) => {
      answer.status = statusCode
      answer.retryAfter = [headers['retry-after']].flat()[0] ?? null
      await readAnswer(body, answer)
    })
  } catch (error) {
    // the status and the kept part of the body have been read, so a body that is too long is no failure
    if (!(error instanceof TooLongError && answer.body !== null)) throw error
  }
}

/** Sends one request. Each has a connection of its own, to the addresses that were checked for it: a kept one may be stale. */
export async function requestOnce(
  url: URL, addresses: TargetAddress[],
  request: { method: 'POST' | 'HEAD' | 'GET', headers: Record<string, string>, body?: Buffer, signal: AbortSignal },
  read: (answer: Dispatcher.ResponseData) => Promise<void>,
): Promise<void> {
  const { buildConnector, Client } = await import('undici') // with the first delivery, so that a server starts faster
  let socket: Socket | undefined
  const host = hostOf(url)
  const servername = isIP(host) === 0 ? host : ''
  const connect = buildConnector({ lookup: pinnedLookup(addresses), timeout: 0, allowH2: false, autoSelectFamilyAttemptTimeout: 1000 })
  const client = new Client(url.origin, {
    connect: (options, callback) => {
      socket = connect({ ...options, hostname: host, servername }, (error, connected) => {
        if (error) return callback(error, null)
        limitReceived(connected)
        callback(null, connected)
      }) as unknown as Socket
    },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    await read(await client.request({ ...request, path: url.pathname + url.search, reset: true, onInfo: limitInterim() }))
  } finally {
    client.destroy().catch(() => {})
    socket?.destroy()
  }
}

class TooLongError extends TargetError {}

/** Counts all bytes: undici's parser accepts empty lines, status lines and chunk extensions of any length. */
function limitReceived(socket: Socket) {
  // registered before undici's listener, so it runs first
  socket.on('readable', () => {
    if (socket.bytesRead <= maxReceivedBytes || socket.destroyed) return
    socket.destroy(new TooLongError(`The endpoint sent more than ${maxReceivedBytes / 1024} kB without completing its answer.`))
  })
}

function limitInterim() {
  let answers = 0
  return () => {
    if (++answers > maxInterimResponses) throw new TargetError(`The endpoint sent more than ${maxInterimResponses} interim answers (1xx).`)
  }
}

/** Reads the part of the response body that is kept, and no more. NUL becomes U+FFFD: not every database stores it. */
async function readAnswer(body: Dispatcher.ResponseData['body'], answer: WebhookAnswer) {
  const decoder = new TextDecoder()
  let left = maxKeptBytes
  answer.body = ''
  body.on('error', () => {}) // the connection is closed when enough was read
  for await (const chunk of body as AsyncIterable<Buffer>) {
    answer.body += decoder.decode(chunk.subarray(0, left), { stream: true }).replaceAll('\0', '\uFFFD')
    left -= chunk.length
    if (left <= 0) return
  }
}

/** Pins the vetted addresses, against DNS rebinding: `net.connect` calls this in place of a DNS look-up. */
const pinnedLookup = (addresses: TargetAddress[]): LookupFunction => (_name, options, callback) => {
  if (options.all) callback(null, addresses)
  else callback(null, addresses[0]!.address, addresses[0]!.family)
}

function errorOf(status: number) {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The endpoint answered ${status}; redirects are not followed.`
    : `The endpoint answered ${status}.`
}

/** Why a request got no answer, as a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof TargetError) return toSingleLine(error.message)
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (name === 'HTTPParserError') return 'The answer of the endpoint is not HTTP.'
  return `The endpoint could not be reached: ${connectionReasons[code] ?? networkReason(code)}.`
}

const connectionReasons: Record<string, string> = {
  UND_ERR_SOCKET: 'it broke off the connection',
  UND_ERR_HEADERS_OVERFLOW: 'the header of its answer is too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer is not as long as it said',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}
