/**
 * Receives events: checks signatures, answers at once, drops repeats. Ctrl-C ends it and removes the webhook.
 * Run it: MAYFLY_API_KEY=svc_… npm run node -- examples/webhook-receiver.ts
 * Set PUBLIC_URL to its URL for the server, or run the server with MAYFLY_ALLOW_PRIVATE_WEBHOOKS=true. PORT is the port of this program.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Mayfly, webhooks, WebhookVerificationError } from '@mayfly-mail/sdk'
import type { WebhookPayload } from '@mayfly-mail/sdk'
import './as-program.ts'

const { PORT = '8080', PUBLIC_URL } = process.env
// made here, so that it is known before the first event arrives
const secret = process.env['WEBHOOK_SECRET'] ?? `whsec_${randomBytes(32).toString('base64')}`
const seen = new Set<string>()

const server = createServer(receive).listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
const url = PUBLIC_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const toldToEnd = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
const mayfly = new Mayfly() // with MAYFLY_API_KEY and MAYFLY_BASE_URL
const { id, events } = await mayfly.webhooks.create({
  url,
  secret,
  events: ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted'],
})
console.log(`${url} receives ${events.join(', ')}`)

await toldToEnd
await mayfly.webhooks.delete(id)
server.close()

async function receive(request: IncomingMessage, response: ServerResponse) {
  try {
    const event = await webhooks.verify(await readBody(request), request.headers, secret)
    // in production a row in a table where `id` is unique: it drops repeats, and outlives a restart
    const isNew = !seen.has(event.id)
    seen.add(event.id)
    response.writeHead(204).end() // before the work: an event without an answer within 15 seconds is sent again
    if (isNew) handle(event)
  } catch (error) {
    const isForeign = error instanceof WebhookVerificationError
    if (!isForeign) console.error(error)
    if (!response.headersSent) response.writeHead(isForeign ? 400 : 500).end()
  }
}

function handle(event: WebhookPayload) {
  switch (event.type) {
    case 'email.received': return console.log('mail', { from: event.data.from, subject: event.data.subject })
    case 'email.deleted': return console.log('mail deleted', event.data.emailId)
    case 'address.created': return console.log('new', event.data.address, 'until', event.data.expiresAt)
    case 'address.expired': return console.log('expired', event.data.address)
    case 'address.deleted': return console.log('deleted', event.data.address)
  }
}

/** The received bytes, which the signature covers, up to a limit: requests without a valid signature may be endless. */
async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > 1_000_000) throw new WebhookVerificationError('Too long for an event')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
