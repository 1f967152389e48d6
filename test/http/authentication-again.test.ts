import { expect } from 'chai'
import type { Email } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer, DnsZone } from '../support/dns-server.ts'
import { sendRaw } from '../support/send-raw.ts'

/** Queries for names of other domains get no response. */
const zone = new Proxy<DnsZone>({
  'good.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  'key._domainkey.good.example': {},
  '_dmarc.good.example': {},
  '_dmarc.example': {},
}, {
  get: (known, name) => known[String(name)] ?? 'silent',
})
/** The results of the first mail. */
const known = { spf: { result: 'pass', domain: 'good.example' }, dkim: [], dmarc: { result: 'none', domain: 'good.example', policy: null } }
const from = 'From: Shop <a@good.example>\r\n'

describe('Mail authentication: results of mail without signatures', () => {
  let dns: DnsServer
  let app: TestApp
  let inbox: { id: string, address: string }

  before(async () => {
    dns = await openDnsServer(zone)
    app = await openTestApp({ isRealTime: true, env: { MAYFLY_DNS_SERVERS: dns.servers } })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  beforeEach(async () => {
    inbox = await app.newAddress()
    await send(`${from}\r\nfirst\r\n`)
    await resultsOfLast()
  })

  const send = (mail: string, sender = 'a@good.example', localAddress?: string) =>
    sendRaw(app.smtp.port, inbox.address, mail, sender, localAddress)

  /** The results of the newest mail, as they are when it is shown. */
  async function firstResultsOfLast(): Promise<Email['authentication']> {
    const { id } = (await app.api('GET', `/emails?address_id=${inbox.id}`)).body.data[0]
    return (await app.api<{ data: Email }>('GET', `/emails/${id}`)).body.data.authentication
  }

  async function resultsOfLast(): Promise<NonNullable<Email['authentication']>> {
    for (;;) {
      const results = await firstResultsOfLast()
      if (results) return results
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it('another mail of the same client, sender and author has them when it is shown', async () => {
    for (let mail = 0; mail < 10; mail++) {
      await send(`Subject: ${mail}\r\n${from}X-Other: field\r\n\r\nother text ${mail}\r\n`)
      const results = await firstResultsOfLast()
      expect(results).to.deep.equal(known)
    }
  })

  for (const [name, mail, sender] of [
    ['author', 'From: a@silent.example\r\n\r\ntext\r\n', 'a@good.example'],
    ['second author', `${from}From: a@silent.example\r\n\r\ntext\r\n`, 'a@good.example'],
    ['sender', `${from}\r\ntext\r\n`, 'a@silent.example'],
  ] as const) {
    it(`a mail of another ${name} does not have them when it is shown`, async () => {
      await send(mail, sender)
      expect(await firstResultsOfLast()).to.not.deep.equal(known)
    })
  }

  it('a mail of another client is checked itself', async () => {
    await send(`${from}\r\ntext\r\n`, 'a@good.example', '127.0.9.1')
    expect((await resultsOfLast()).spf.result).to.equal('fail')
  })

  it('a mail with a signature is checked itself', async () => {
    const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=good.example; s=key; h=from; bh=aaaa; b=aaaa\r\n'
    await send(`${signature}${from}\r\ntext\r\n`)
    expect((await resultsOfLast()).dkim).to.have.length(1)
  })
})
