import { openTestApp, shareTestApp } from '../support/app.ts'
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
  const network = await openNetwork()
  const app = await openTestApp({ mxPort: network.receiver.port, ...options, env: { ...network.env, ...options.env } })
  return {
    app, ...network,
    from: await app.newAddress({ alias: 'sender' }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await network[Symbol.asyncDispose]()
    },
  }
}

/**
 * One world for all tests of a suite.
 * @returns a function that gives a test an account, an address to send from and the receiver without mail; disposing deletes the address,
 * which cancels its mail
 */
export function shareSendingWorld(): () => Promise<SendingWorld> {
  const options: TestOptions = {}
  let network: Awaited<ReturnType<typeof openNetwork>>
  before(async () => {
    network = await openNetwork()
    Object.assign(options, { mxPort: network.receiver.port, env: network.env })
  })
  const newAccount = shareTestApp(options)
  after(() => network[Symbol.asyncDispose]())
  return async () => {
    const app = await newAccount()
    network.receiver.reset()
    const from = await app.newAddress()
    return {
      app, ...network, from,
      async [Symbol.asyncDispose]() {
        await app.api('DELETE', `/addresses/${from.id}`)
        await app.settled()
      },
    }
  }
}

async function openNetwork() {
  const receiver = await openReceiver()
  const dns = await openDnsServer({
    'example.org': { MX: [{ exchange: 'mx.example.org', priority: 10 }] },
    'mx.example.org': { A: ['127.0.0.1'] },
  })
  return {
    receiver, dns,
    // tests read emails also after days of retries, so mail must not expire
    env: {
      MAYFLY_OUTBOUND: 'direct', MAYFLY_ALLOW_PRIVATE_MX: 'true', MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_RETENTION_SECONDS: '31536000',
    },
    async [Symbol.asyncDispose]() {
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
