import { expect } from 'chai'
import { playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { sendEmail, shareSendingWorld } from './world.ts'
import type { SendingWorld } from './world.ts'

interface ReportOptions {
  action?: string
  type?: string
}

/** A delivery report in the form of other mail servers. */
const reportSource = ({ action = 'failed', type = 'message/delivery-status' }: ReportOptions = {}) => [
  'From: MAILER-DAEMON@mx.example.org', 'To: <>', 'Subject: Undelivered Mail Returned to Sender', 'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="r"', '', '--r', 'Content-Type: text/plain', '', 'Sorry.', '--r',
  `Content-Type: ${type}`, '', 'Reporting-MTA: dns; mx.example.org', 'Arrival-Date: Sat, 14 Mar 2026 09:00:00 +0000', '',
  'Final-Recipient: rfc822; ada@example.org', `Action: ${action}`, 'Status: 5.2.2', 'Remote-MTA: dns; store.example.org',
  'Diagnostic-Code: smtp; 552 5.2.2 The mailbox', ' is full', '', '--r', 'Content-Type: message/rfc822', '', 'Subject: Where is my order?', '',
  'Hello', '--r--', '',
].join('\r\n')

describe('Bounces: a delivery report to the return path of an email', () => {
  const newWorld = shareSendingWorld()
  let world: SendingWorld
  let email: Awaited<ReturnType<typeof sendEmail>>
  let returnPath: string

  beforeEach(async () => {
    world = await newWorld()
    email = await sendEmail(world.app, world.from.id)
    await world.app.settled()
    returnPath = world.receiver.mails[0]!.sender
  })
  afterEach(() => world[Symbol.asyncDispose]())

  async function report(source = reportSource(), to = returnPath, sender = '') {
    const steps: Step[] = [
      ['EHLO mx.example.org', 250], [`MAIL FROM:<${sender}>`, 250], [`RCPT TO:<${to}>`, 250], ['DATA', 354],
      [Buffer.from(`${source}.\r\n`), 250],
    ]
    await playSession(world.app.smtp, steps)
    await world.app.settled()
    return email.read()
  }

  it('marks the email as failed, with the reason', async () => {
    expect(await email.read()).to.include({ status: 'sent' })
    expect(await report()).to.include({
      status: 'failed', failureReason: 'Returned as undeliverable by store.example.org: 552 5.2.2 The mailbox is full',
    })
    expect((await world.app.listEmails({ type: 'received' }))).to.deep.equal([])
  })

  it('may be long, and have the return path in upper case', async () => {
    const long = reportSource().replace('Hello', 'Hello there\r\n'.repeat(60_000))
    expect(await report(long, returnPath.toUpperCase())).to.include({ status: 'failed' })
  })

  it('changes nothing when it reports a delay or a success, or is an automatic reply', async () => {
    expect(await report(reportSource({ action: 'delayed' }))).to.include({ status: 'sent' })
    expect(await report(reportSource({ action: 'delivered' }))).to.include({ status: 'sent' })
    expect(await report('Subject: I am away\r\nAuto-Submitted: auto-replied\r\n\r\nBack on Monday.\r\n')).to.include({ status: 'sent' })
    expect(await report(reportSource({ type: 'text/plain' }))).to.include({ status: 'sent' })
  })

  it('is refused when the return path is forged, of another email, or too old', async () => {
    const [, id, day, mac] = /^bounce=(\w+)=(\w+)=(\w+)@/.exec(returnPath)!
    const other = `${id!.slice(0, -1)}${id!.endsWith('0') ? '1' : '0'}`
    const later = (parseInt(day!, 36) + 1).toString(36)
    const refused = [
      `bounce=${id}=${day}=${'0'.repeat(16)}`, `bounce=${other}=${day}=${mac}`, `bounce=${id}=${later}=${mac}`, `bounce=${id}`, 'bounce=', 'bounce',
      `bounce=${id}=${day}=${mac}+tag`, `BOUNCE=${id}=${day}=${mac}x`, `bounce=${id}=${day}=${'é'.repeat(16)}`,
    ]
    for (const local of refused) {
      await playSession(world.app.smtp, [['EHLO mx.example.org', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${local}@mail.localhost>`, 550]])
    }
    await world.app.advance({ days: 15 })
    await playSession(world.app.smtp, [['EHLO mx.example.org', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${returnPath}>`, 550]])
    expect(await email.read()).to.include({ status: 'sent' })
  })

  it('is accepted in the same transaction as mail for a user, which is delivered', async () => {
    const steps: Step[] = [
      ['EHLO mx.example.org', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${returnPath}>`, 250], [`RCPT TO:<${world.from.address}>`, 250],
      ['DATA', 354], [Buffer.from(`${reportSource()}.\r\n`), 250],
    ]
    await playSession(world.app.smtp, steps)
    await world.app.settled()
    expect(await email.read()).to.include({ status: 'failed' })
    expect(await world.app.listEmails({ type: 'received' })).to.have.length(1)
  })

  it('is accepted and dropped when its email is deleted', async () => {
    await world.app.api('DELETE', `/addresses/${world.from.id}`)
    await playSession(world.app.smtp, [
      ['EHLO mx.example.org', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${returnPath}>`, 250], ['DATA', 354], [Buffer.from(`${reportSource()}.\r\n`), 250],
    ])
    await world.app.settled()
  })

  it('gets no answer, nor does any other mail', async () => {
    const before = world.receiver.connections
    await report()
    await report('Subject: hello\r\n\r\nhello\r\n')
    await world.app.advance({ days: 6 })
    expect(world.receiver.connections).to.equal(before)
  })
})
