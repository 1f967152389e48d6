import { expect } from 'chai'
import type { Email } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsZone } from '../support/dns-server.ts'
import { sendRaw } from '../support/send-raw.ts'
import { countRows } from '../support/store/rows.ts'

/** Answers for one domain only; queries for all other names get no response. */
const silentZone = new Proxy<DnsZone>({}, {
  get: (_zone, name) => !String(name).endsWith('good.example') ? 'silent' : { TXT: ['v=spf1 ip4:127.0.0.0/8 -all'] },
})

const mails = 240
const connections = 12

/** Sends mails from domains whose name server does not answer. */
async function flood(port: number, address: string, senderOf: (mail: number) => string, localAddress?: string) {
  let next = 0
  await Promise.all(Array.from({ length: connections }, async () => {
    for (let mail = next++; mail < mails; mail = next++) {
      await sendRaw(port, address, `From: ${senderOf(mail)}\r\n\r\ntext\r\n`, senderOf(mail), localAddress)
    }
  }))
}

describe('Mail authentication: fairness', () => {
  for (const [name, senderOf, localAddress, isOtherAccount] of [
    ['subdomains of one domain delay no other domain', (mail: number) => `a@x${mail}.silent.example`, undefined, false],
    ['many domains of one network delay no other network and account', (mail: number) => `a@silent${mail}.example`, '127.0.9.1', true],
  ] as const) {
    it(`mails from ${name} while their name server is silent`, async function () {
      await using dns = await openDnsServer(silentZone)
      await using app = await openTestApp({ isRealTime: true, env: { MAYFLY_DNS_SERVERS: dns.servers } })
      const flooded = await app.newAddress()
      await flood(app.smtp.port, flooded.address, senderOf, localAddress)
      const before = await countRows(app, 'authentications')
      const key = isOtherAccount ? await app.newKey() : app.key
      const { id, address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      await sendRaw(app.smtp.port, address, 'From: a@good.example\r\n\r\ntext\r\n', 'a@good.example')
      const emailId = (await app.api('GET', `/emails?address_id=${id}`, { key })).body.data[0].id
      for (;;) {
        const { authentication } = (await app.api<{ data: Email }>('GET', `/emails/${emailId}`, { key })).body.data
        if (authentication) {
          expect(authentication.spf.result).to.equal('pass')
          break
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const done = await countRows(app, 'authentications') - before
      console.log(`      done before: ${done - 1} of ${mails}`)
      expect(done).to.be.lessThan(mails / 2) // those of one domain are checked 80 at a time: one such batch may end meanwhile
    })
  }
})
