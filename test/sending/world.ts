import { openTestApp } from '../support/app.ts'
import type { TestApp, TestOptions } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { openReceiver } from '../support/receiver.ts'
import type { Receiver } from '../support/receiver.ts'

export interface SendingWorld extends AsyncDisposable {
  app: TestApp
  dns: DnsServer
  /** The mail server of example.org. */
  receiver: Receiver
  /** An address to send from. */
  from: { id: string, address: string }
}

/** A server that sends to the MX of each domain, a DNS server and the mail server of example.org, all on loopback. */
export async function openSendingWorld(options: TestOptions = {}): Promise<SendingWorld> {
  const receiver = await openReceiver()
  const dns = await openDnsServer({
    'example.org': { MX: [{ exchange: 'mx.example.org', priority: 10 }] },
    'mx.example.org': { A: ['127.0.0.1'] },
  })
  const app = await openTestApp({
    mxPort: receiver.port, ...options,
    // tests read emails also after days of retries, so mail must not expire
    env: {
      MAYFLY_OUTBOUND: 'direct', MAYFLY_ALLOW_PRIVATE_MX: 'true', MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_RETENTION_SECONDS: '31536000', ...options.env,
    },
  })
  return {
    app, dns, receiver,
    from: await app.newAddress({ alias: 'sender' }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
    },
  }
}

/** Sends an email. Returns its id and a function that reads it. */
export async function sendEmail(app: TestApp, fromAddressId: string, changes: Record<string, unknown> = {}) {
  const answer = await app.api('POST', '/emails', {
    body: { fromAddressId, to: 'ada@example.org', subject: 'Where is my order?', body: 'Hello,\n\nwhere is it?\n', ...changes },
  })
  if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  const { id } = answer.body.data as { id: string }
  return { id, read: async () => (await app.api('GET', `/emails/${id}`)).body.data }
}
