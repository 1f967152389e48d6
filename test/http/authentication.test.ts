import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Authentication, Email } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp, TestOptions } from '../support/app.ts'
import { newDatabase } from '../support/new-database.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer, DnsZone } from '../support/dns-server.ts'
import { playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'
import { newKey } from '../support/signed-mail.ts'
import { jobsOf } from '../support/store/jobs.ts'
import { rowsOf } from '../support/store/rows.ts'

const key = newKey('example.org')
const dkim = { domainName: key.domain, keySelector: key.selector, privateKey: key.privateKey }

const zone = (): DnsZone => ({
  'example.org': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.example.org': { TXT: ['v=DMARC1; p=quarantine'] },
  [key.name]: { TXT: [key.record] },
})
const silent = (): DnsZone => Object.fromEntries(Object.keys(zone()).map((name) => [name, 'silent']))

const passed: Authentication = {
  spf: { result: 'pass', domain: 'example.org' },
  dkim: [{ result: 'pass', domain: 'example.org', selector: 's1' }],
  dmarc: { result: 'pass', domain: 'example.org', policy: 'quarantine' },
}
const unsigned = { ...passed, dkim: [] }

const openApp = (dns: DnsServer, options: TestOptions = {}) =>
  openTestApp({ ...options, env: { MAYFLY_DNS_SERVERS: dns.servers, ...options.env } })

/** The email of an address in its current state. */
async function emailAt(app: TestApp, addressId: string): Promise<Email> {
  const [listed] = await app.listEmails({ address_id: addressId })
  return (await app.api<{ data: Email }>('GET', `/emails/${listed!.id}`)).body.data
}

describe('Mail authentication: results of SPF, DKIM and DMARC', () => {
  it('are null until the check is done, and then have the domains that passed', async () => {
    await using dns = await openDnsServer(silent())
    await using app = await openApp(dns)
    const address = await app.newAddress()
    await app.send({ to: address.address, subject: 'Hi', text: 'Hello\n', dkim })
    expect((await emailAt(app, address.id)).authentication).to.equal(null)
    Object.assign(dns.zone, zone()) // the DNS server answers the second attempt
    expect((await app.onlyEmail(address.id)).authentication).to.deep.equal(passed)
  })

  it('exist also for a mail of several megabytes', async () => {
    await using dns = await openDnsServer(zone())
    await using app = await openApp(dns)
    const address = await app.newAddress()
    const content = Buffer.alloc(5 * 2 ** 20, 'attachment ')
    await app.send({ to: address.address, subject: 'long', text: 'Hello\n', attachments: [{ filename: 'a.bin', content }], dkim })
    expect((await app.onlyEmail(address.id)).authentication).to.deep.equal(passed)
  })

  it('are determined once for all recipients', async () => {
    await using dns = await openDnsServer(zone())
    await using app = await openApp(dns)
    const addresses = [await app.newAddress(), await app.newAddress(), await app.newAddress()]
    await app.send({ to: addresses.map(({ address }) => address), subject: 'Hi', text: 'Hello\n' })
    for (const { id } of addresses) expect((await app.onlyEmail(id)).authentication).to.deep.equal(unsigned)
    expect(dns.questions.filter(({ name }) => name === 'example.org')).to.have.length(1)
  })

  it('are fail for a forged sender', async () => {
    await using dns = await openDnsServer({ ...zone(), 'example.org': { TXT: ['v=spf1 -all'] } })
    await using app = await openApp(dns)
    const address = await app.newAddress()
    await app.send({ to: address.address, subject: 'Hi', text: 'Hello\n', dkim: { ...dkim, privateKey: newKey('example.org').privateKey } })
    expect((await app.onlyEmail(address.id)).authentication).to.deep.equal({
      spf: { result: 'fail', domain: 'example.org' },
      dkim: [{ result: 'fail', domain: 'example.org', selector: 's1' }],
      dmarc: { result: 'fail', domain: 'example.org', policy: 'quarantine' },
    })
  })

  it('are of the HELO name when the sender is null', async () => {
    await using dns = await openDnsServer({ 'mx.example.net': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } })
    await using app = await openApp(dns)
    const address = await app.newAddress()
    await playSession(app.smtp, [
      ['EHLO mx.example.net', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${address.address}>`, 250], ['DATA', 354],
      ['Subject: report\r\n\r\nSorry.\r\n.', 250],
    ])
    expect((await app.onlyEmail(address.id)).authentication!.spf).to.deep.equal({ result: 'pass', domain: 'mx.example.net' })
  })

  it('delay no mail: with a silent DNS server mail is answered and listed at once, with temperror as the result', async function () {
    await using dns = await openDnsServer(silent())
    await using app = await openApp(dns)
    const address = await app.newAddress()
    const source = 'From: shop@example.org\r\nSubject: Hi\r\n\r\nHello\r\n'
    const count = 80
    await Promise.all(Array.from({ length: count }, () => sendRaw(app.smtp.port, address.address, source)))
    const { body } = await app.api('GET', `/emails?address_id=${address.id}&limit=100`)
    expect(body.total).to.equal(count)

    await app.settled()
    const { data } = (await app.api<{ data: Email }>('GET', `/emails/${body.data[count - 1].id}`)).body
    expect([data.authentication!.spf.result, data.authentication!.dmarc.result]).to.deep.equal(['temperror', 'temperror'])
  })

  it('are determined after a restart when the server closed before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
    try {
      await using dns = await openDnsServer(silent())
      const options = { database: await newDatabase(join(folder, 'mayfly.db')) }
      let address: { id: string, address: string }
      let key: string
      {
        await using app = await openApp(dns, options)
        key = app.key
        address = await app.newAddress()
        await app.send({ to: address.address, subject: 'Hi', text: 'Hello\n' })
        expect((await emailAt(app, address.id)).authentication).to.equal(null)
      } // closes although the DNS server has not answered
      Object.assign(dns.zone, zone())
      await using app = await openApp(dns, options)
      await app.settled()
      const { body } = await app.api('GET', `/emails?address_id=${address.id}`, { key })
      const email = await app.api<{ data: Email }>('GET', `/emails/${body.data[0].id}`, { key })
      expect(email.body.data.authentication).to.deep.equal(unsigned)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('are discarded when the address is deleted during the check', async () => {
    await using dns = await openDnsServer(silent())
    await using app = await openApp(dns)
    const address = await app.newAddress()
    await app.send({ to: address.address, subject: 'Hi', text: 'Hello\n' })
    expect((await app.api('DELETE', `/addresses/${address.id}`)).status).to.equal(200)
    Object.assign(dns.zone, zone())
    await app.settled()
    for (const table of ['messages', 'authentications'] as const) expect(await rowsOf(app, table)).to.deep.equal([])
    expect(await jobsOf(app, 'authenticate-message')).to.deep.equal([])
  })

  it('are temperror for a mail that exceeds time or memory, without an effect on other mail at that time', async function () {
    await using dns = await openDnsServer(zone())
    await using app = await openApp(dns, { intakeLimits: { timeoutMs: 800 } })
    const [greedy, modest] = [await app.newAddress(), await app.newAddress()]
    // each signature covers another length of this one line
    const signatures = Array.from({ length: 10 }, (_, i) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1; l=${i}; h=from; bh=AAAA; b=AAAA\r\n`)
    await sendRaw(app.smtp.port, greedy.address, `${signatures.join('')}From: a@example.org\r\n\r\n${'a '.repeat(12 * 2 ** 20)}\r\n`)
    await app.send({ to: modest.address, subject: 'Hi', text: 'Hello\n' })
    await app.settled()
    await app.advance({ minutes: 1 })
    const { authentication } = await app.onlyEmail(greedy.id)
    expect([authentication!.spf.result, authentication!.dkim]).to.deep.equal(['temperror', []])

    const later = await app.newAddress()
    await app.send({ to: later.address, subject: 'Hi', text: 'Hello\n' })
    expect((await app.onlyEmail(later.id)).authentication).to.deep.equal(unsigned)
    expect((await app.onlyEmail(modest.id)).authentication).to.not.equal(null)
  })
})
