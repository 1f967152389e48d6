import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import { openWebhookSender } from '../../server/outbound/webhook.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { openEndpoint } from '../support/endpoint.ts'

describe('Webhook targets: SSRF protection', () => {
  let dns: DnsServer
  before(async () => { dns = await openDnsServer() })
  after(() => dns[Symbol.asyncDispose]())

  it('posts nothing when the name changes its address between check and connection (DNS rebinding)', async () => {
    // 127.0.0.2 counts as public here, because tests make no connection to other hosts
    await using fair = await openEndpoint(() => 200, { host: '127.0.0.2' })
    const resolver = openResolver([dns.servers], { lifetimeMs: 0 })
    let asked = 0
    Object.defineProperty(dns.zone, 'rebinding.example', {
      get: () => dns.questions.at(-1)!.type === 'AAAA' ? {} : { A: [++asked === 1 ? '127.0.0.2' : '127.0.0.1'] },
    })
    const sender = openWebhookSender({ resolver, allowPrivate: false, isPublic: (ip) => ip === '127.0.0.2', timeoutMs: 2000 })
    const post = () => sender.post(`https://rebinding.example:${fair.port}/`, {}, Buffer.from('{}'), new AbortController().signal)
    const tried: string[] = []
    const note = (message: unknown) => (message as { socket: Socket }).socket
      .on('connectionAttempt', (ip: string, to: number) => { if (to === fair.port) tried.push(ip) })
    subscribe('net.client.socket', note)
    try {
      await post()
      expect([tried, asked]).to.deep.equal([['127.0.0.2'], 1])
      expect((await post()).error).to.equal('The host of the URL is not on the public internet.')
      expect([tried, asked]).to.deep.equal([['127.0.0.2'], 2])
    } finally {
      unsubscribe('net.client.socket', note)
      resolver.close()
    }
  })

  it('posts nothing when the server closes before the look-up, and records no failure', async () => {
    dns.zone['broken.example'] = 'SERVFAIL'
    const resolver = openResolver([dns.servers])
    try {
      const sender = openWebhookSender({ resolver, allowPrivate: false })
      const { error } = await sender.post('https://broken.example/', {}, Buffer.from('{}'), AbortSignal.abort())
      expect(error).to.equal('This server was stopped.')
      await resolver.addresses('broken.example')
      await new Promise(setImmediate)
    } finally {
      resolver.close()
    }
  })
})
