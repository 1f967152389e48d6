import fc from 'fast-check'

/** A server's answer to a request. */
export type Answer = (request: Request) => Response | Promise<Response>

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const never = () => new Promise<Response>(() => {})

/** Rejects when the signal aborts, as the `fetch` of the runtimes does. */
const stalled: Answer = ({ signal }) => new Promise((_, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
})

const stream = (start: (controller: ReadableStreamDefaultController<Uint8Array>) => void, type = 'application/json') =>
  () => new Response(new ReadableStream({ start }), { headers: { 'content-type': type } })

const bytes = (text: string) => new TextEncoder().encode(text)

const status = fc.constantFrom(400, 401, 403, 404, 405, 408, 409, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504, 505, 507)
const pause = fc.constantFrom<Record<string, string>>(
  {}, {}, { 'retry-after': '0' }, { 'retry-after': '0.05' }, { 'retry-after': '3' }, { 'retry-after': '3600' }, { 'retry-after': 'soon' },
  { 'retry-after': '-1' }, { 'retry-after': 'Sat, 14 Mar 2026 09:00:02 GMT', date: 'Sat, 14 Mar 2026 09:00:00 GMT' },
  { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1773478802', date: 'Sat, 14 Mar 2026 09:00:00 GMT' },
  { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': 'x', 'x-ratelimit-reset': '99999999999999999' },
)

const errors = fc.tuple(status, pause, fc.boolean()).map(([code, headers, isOurs]): [string, Answer] => [
  `${code} ${JSON.stringify(headers)}`,
  isOurs ? json(code, { error: 'No.', code: 'INTERNAL_ERROR' }, headers) : () => new Response('<h1>No</h1>', { status: code, headers }),
])

const bodies = fc.oneof(
  fc.constantFrom<unknown>(
    null, 5, 'hello', [], {}, { data: null }, { data: 5 }, { data: {} }, { data: [null] }, { data: { addresses: {} } }, { data: { addresses: [null] } },
    { data: [5], total: 1, limit: 1, offset: 0, cursor: 5 }, { data: [{ id: 1 }], total: '9', cursor: null }, { message: 1 }, { totalAddresses: 1 },
    { data: [], total: 9, hasMore: true, cursor: '' }, { data: [{ id: 'a' }], total: 1e9, hasMore: true, cursor: 'x' },
    { data: { addresses: [{ id: 'a' }], total: 1e9, hasMore: true } }, { data: { id: 'a', createdAt: 'never' } }, { data: { id: {}, bodyText: 1 } },
  ),
  fc.jsonValue(),
  fc.jsonValue().map((data) => ({ data })),
).map((body): [string, Answer] => [`200 ${JSON.stringify(body)}`, json(200, body, { 'x-mayfly-cursor': 'x' })])

const oddities: [string, Answer][] = [
  ['a lost connection', () => { throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }) }],
  ['a rejection with nothing', () => Promise.reject(undefined)],
  ['silence', stalled],
  ['silence that heeds no signal', never],
  ['an answer that stalls', stream((controller) => controller.enqueue(bytes('{"data":')))],
  ['an answer that breaks off', stream((controller) => controller.error(new TypeError('terminated')))],
  ['a file that breaks off', stream((controller) => controller.error(new TypeError('terminated')), 'message/rfc822')],
  ['a file that stalls', stream((controller) => controller.enqueue(bytes('Subject: ')), 'message/rfc822')],
  ['a file without a body', () => new Response(null, { headers: { 'content-type': 'message/rfc822' } })],
  ['events that are none', stream((controller) => {
    controller.enqueue(bytes('data: null\n\n'))
    controller.close()
  }, 'text/event-stream')],
  ['events cut short', stream((controller) => {
    controller.enqueue(bytes('retry: 99999999\nid: 1\ndata: {"type"'))
    controller.close()
  }, 'text/event-stream')],
  ['a web page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['JSON cut short', () => new Response('{"data":{"id"', { headers: { 'content-type': 'application/json' } })],
  ['nothing', () => new Response(null, { status: 204 })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })],
  ['a large body', () => new Response(`{"data":"${'x'.repeat(300_000)}"}`, { headers: { 'content-type': 'application/json' } })],
  ['deep JSON', () => new Response('['.repeat(50_000), { headers: { 'content-type': 'application/json' } })],
]

/** Faulty answers of servers and proxies. */
export const answers: fc.Arbitrary<[name: string, answer: Answer]> = fc.oneof(errors, errors, bodies, fc.constantFrom(...oddities))
