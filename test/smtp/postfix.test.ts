import { expect } from 'chai'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { startPostfix } from '../../bench/peers/postfix.ts'
import type { Peer } from '../../bench/peers/peer.ts'
import { Mayfly } from '../../sdk/index.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'

describe('Faults on purpose: Postfix as it is installed', function () {
  this.timeout(120_000) // it tries again after some seconds
  let app: TestApp
  let folder: string
  let mayfly: Mayfly
  let postfix: Peer | undefined
  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-postfix-'))
    app = await openTestApp({ isRealTime: true })
    mayfly = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    postfix = await startPostfix(folder, {
      mydestination: '', default_transport: 'smtp', relayhost: `[127.0.0.1]:${app.smtp.port}`, smtp_host_lookup: 'native',
      queue_run_delay: '1s', minimal_backoff_time: '1s', maximal_backoff_time: '2s', smtp_tls_security_level: 'none', smtp_connection_cache_on_demand: 'no',
    })
    if (!postfix) this.skip() // not installed, or this user may not start it
  })
  after(async () => {
    await postfix?.stop()
    await app[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  /** Sends a mail by Postfix to an address with faults. @returns the inboxes of the sender and of the recipient */
  async function relay(steps: Parameters<Mayfly['addresses']['setSmtpFaults']>[1]) {
    const [sender, recipient] = await Promise.all([mayfly.inboxes.create(), mayfly.inboxes.create()])
    await mayfly.addresses.setSmtpFaults(recipient.id, steps)
    await createTransport({ host: '127.0.0.1', port: postfix!.smtpPort, ignoreTLS: true })
      .sendMail({ from: sender.address, to: recipient.address, subject: 'Your code', text: 'Your code is 482913.' })
    return { sender, recipient }
  }
  const triesOf = async (id: string) => (await mayfly.addresses.activity(id)).data.map(({ stage, code }) => `${stage} ${code}`)
  const reported = async () => `its log: ${await readFile(join(folder, 'postfix/log'), 'utf8')}`

  for (const [name, steps, tries] of [
    ['a recipient that is deferred twice', [{ at: 'rcpt', code: 451, times: 2 }], ['end 250', 'rcpt 451', 'rcpt 451']],
    ['a mail that is deferred at its end', [{ at: 'end', code: 452, enhanced: '4.3.1' }], ['end 250', 'end 452']],
    ['a connection that is dropped at DATA', [{ at: 'data', drop: true }], ['end 250', 'data null']],
    ['a recipient on a grey list', [{ at: 'rcpt', kind: 'greylist' }], ['end 250', 'rcpt 451']],
  ] as const) {
    it(`tries again after ${name}`, async () => {
      const { recipient } = await relay([...steps])
      const mail = await recipient.waitFor({ timeoutMs: 60_000 }).catch(async (error: Error) => { throw new Error(`${error.message} ${await reported()}`) })
      expect(mail.codes).to.deep.equal(['482913'])
      expect(await triesOf(recipient.id)).to.deep.equal(tries)
    })
  }

  for (const [name, steps, tries] of [
    ['a recipient that is refused', [{ at: 'rcpt', code: 550, enhanced: '5.1.1', text: 'Gone away' }], ['rcpt 550']],
    ['a mail that is refused at its end', [{ at: 'end', code: 554, text: 'Gone away' }], ['end 554']],
  ] as const) {
    it(`gives up after ${name}, and tells the sender`, async () => {
      const { sender, recipient } = await relay([...steps])
      const bounce = await sender.waitFor({ subject: 'Undelivered', timeoutMs: 60_000 })
        .catch(async (error: Error) => { throw new Error(`${error.message} ${await reported()}`) })
      expect(bounce.bodyText).to.include('Gone away').and.to.include(recipient.address)
      expect(bounce.envelope?.from).to.equal('')
      expect(await triesOf(recipient.id)).to.deep.equal(tries)
    })
  }
})
