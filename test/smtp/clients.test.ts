import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Mayfly } from '../../sdk/index.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { openReceiver } from '../support/receiver.ts'
import type { Receiver } from '../support/receiver.ts'
import { recipients, smtpClients } from './clients/clients.ts'
import { shownCertificate } from './mailbox.ts'

const clients = smtpClients()

describe('SMTP clients: mail with a login, over TLS', function () {
  let app: TestApp
  let mayfly: Mayfly
  let ca: string
  let dns: DnsServer
  /** The mail server of all foreign domains. */
  let receiver: Receiver

  before(async () => {
    receiver = await openReceiver()
    const mx = { MX: [{ exchange: 'mx.foreign.example', priority: 10 }] }
    dns = await openDnsServer({
      'mx.foreign.example': { A: ['127.0.0.1'] },
      ...Object.fromEntries(recipients.map((recipient) => [recipient.split('@')[1]!, mx])),
    })
    app = await openTestApp({
      isRealTime: true, mxPort: receiver.port,
      env: {
        MAYFLY_SUBMISSION_PORT: '0', MAYFLY_SMTPS_PORT: '0', MAYFLY_OUTBOUND: 'direct', MAYFLY_ALLOW_PRIVATE_MX: 'true', MAYFLY_DNS_SERVERS: dns.servers,
      },
    })
    mayfly = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    ca = join(app.folder, 'smtp.pem')
    await writeFile(ca, (await shownCertificate({ host: '127.0.0.1', port: app.app.smtp.smtps!.port, tls: {} })).toString())
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
    const missing = clients.filter(({ send }) => !send).map(({ name }) => name)
    if (missing.length > 0) console.log(`    not run, since they are not installed: ${missing.join(', ')}`)
  })

  for (const { name, send } of clients) {
    if (!send) continue
    for (const security of ['starttls', 'tls'] as const) {
      it(`${name} sends to recipients in To, Cc and Bcc by ${security === 'tls' ? 'implicit TLS' : 'STARTTLS'}`, async function () {
        this.timeout(180_000) // Go compiles its program
        const inbox = await mayfly.inboxes.create({ smtpLogin: true })
        const { host, username, password = '' } = inbox.smtp!
        const port = (security === 'tls' ? app.app.smtp.smtps : app.app.smtp.submission)!.port
        const subject = `${name} by ${security}`
        await send({ host, port, security, username, password, ca, subject })
        const mail = await inbox.waitFor({ subject, timeoutMs: 10_000 })
        expect(mail).to.deep.include({ from: 'app@shop.example', recipientsTotal: 5, codes: ['482913'] })
        expect([...mail.recipients].sort()).to.deep.equal([...recipients].sort())
        expect(mail.envelope).to.deep.include({ from: 'app@shop.example', via: 'login' })
      })
    }
  }

  it('no mail leaves the server, and no recipient is looked up', async () => {
    await app.settled()
    expect([dns.questions, receiver.connections]).to.deep.equal([[], 0])
  })
})
