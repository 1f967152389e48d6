import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo, ListenOptions, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'

export interface ReceivedDelivery {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Names as they were sent, each before its value. */
  rawHeaders: string[]
  /** The text of the body, unparsed. */
  body: string
  /** The parsed body. */
  event: { id: string, type: string, event: string, createdAt: string, timestamp: number, data: Record<string, any> }
}

/** Returns the status of the answer: nothing means 200, null that the function has answered itself. */
export type Answer = (delivery: ReceivedDelivery, response: ServerResponse) => number | null | void

export interface Endpoint extends AsyncDisposable {
  url: string
  port: number
  /** In the order of arrival. */
  deliveries: ReceivedDelivery[]
  /** A test may change it at any time. */
  answer: Answer
  /** Number of all connections so far, and of the open ones. */
  readonly connections: number
  readonly open: number
}

/** A real HTTP server on a free port of 127.0.0.1 that records the deliveries. */
export async function openEndpoint(answer: Answer = () => {}, at: ListenOptions = {}): Promise<Endpoint> {
  let connections = 0
  let open = 0
  const server: Server & { closeAllConnections(): void } = createServer((request, response) => {
    buffer(request).then((bytes) => {
      const body = bytes.toString()
      const delivery = { method: request.method!, path: request.url!, headers: request.headers, rawHeaders: request.rawHeaders, body, event: JSON.parse(body || '{}') }
      endpoint.deliveries.push(delivery)
      const status = endpoint.answer(delivery, response)
      if (status !== null) response.writeHead(status ?? 200).end()
    }).catch(() => {}) // the client has disconnected
  })
  server.on('connection', (socket) => {
    connections++
    open++
    socket.once('close', () => open--)
  })
  await once(server.listen({ port: 0, host: '127.0.0.1', ...at }), 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    deliveries: [],
    answer,
    get connections() {
      return connections
    },
    get open() {
      return open
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return endpoint
}

/**
 * Verifies a delivery in the ways of its receivers: by a plain HMAC of the body, by the package of Standard Webhooks, and by a
 * comparison of the two forms.
 * @param at the time of sending; the package compares it with the system's clock
 */
export function verifyDelivery({ method, headers, body, event }: ReceivedDelivery, secret: string, at: number) {
  expect(method).to.equal('POST')
  expect(headers['content-type']).to.equal('application/json')
  expect(isSigned({ headers, body }, secret)).to.equal(true)
  expect(standardVerify({ headers, body }, secret, at)).to.deep.equal(event)
  expect(event.event).to.equal(event.type)
  expect(headers['x-service-event']).to.equal(event.type)
  expect(headers['webhook-id']).to.equal(event.id)
  expect(new Date(event.timestamp).toISOString()).to.equal(event.createdAt)
  expect(headers['x-service-timestamp']).to.equal(String(at))
  expect(headers['x-service-delivery-id']).to.match(/^[0-9a-f-]{36}$/).and.not.equal(event.id)
  expect(headers['webhook-timestamp']).to.equal(String(Math.floor(at / 1000)))
  expect(Object.keys(event)).to.deep.equal(['id', 'type', 'event', 'createdAt', 'timestamp', 'data'])
}

type Signed = Pick<ReceivedDelivery, 'headers' | 'body'>

export const isSigned = ({ headers, body }: Signed, secret: string) =>
  headers['x-service-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/**
 * @param secret its key is what it encodes after `whsec_`, else its bytes
 * @throws Error when the signature was not made with the secret
 */
export function standardVerify({ headers, body }: Signed, secret: string, at: number): unknown {
  const { now } = Date
  Date.now = () => at
  try {
    return (secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' })).verify(body, headers as Record<string, string>)
  } finally {
    Date.now = now
  }
}
