import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import { hello } from '../smtp/mailbox.ts'
import { moveTo } from '../support/account-move.ts'
import { callAt, cellsSecret, openCells } from '../support/cells.ts'
import type { TestCell, TestCells } from '../support/cells.ts'
import { openSession, playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { createAccount } from '../support/store/accounts.ts'

const file = (name: string) => fileURLToPath(new URL(`../support/self-signed/${name}`, import.meta.url))

describe('Cells: mail', () => {
  let world: TestCells
  let [a, b, c]: TestCell[] = []
  before(async () => {
    const tls = { MAYFLY_TLS_CERT: file('cert.pem'), MAYFLY_TLS_KEY: file('key.pem') }
    world = await openCells(3, { env: { ...tls, MAYFLY_SMTP_INSECURE_AUTH: 'true', MAYFLY_TRUSTED_PROXIES: '127.0.0.1' } });
    [a, b, c] = world.cells
  })
  after(() => world[Symbol.asyncDispose]())

  const subjects = async (cell: TestCell, id: string) => {
    await cell.settled()
    return (await cell.listEmails({ address_id: id })).map(({ subject }) => subject).sort()
  }

  it('to an address of another cell is published there before the 250, with the client and its name', async () => {
    const { id, address } = await b!.newAddress()
    await using session = await openSession(a!.smtp, 'PROXY TCP4 203.0.113.7 127.0.0.1 40000 25\r\n')
    await session.play([
      ['EHLO sender.example.org', 250], ['MAIL FROM:<shop@example.org> SIZE=100 BODY=8BITMIME', 250], [`RCPT TO:<${address.replace('@', '+tag@')}>`, 250],
      ['DATA', 354], ['Subject: Here\r\n\r\n..dots\r\n\r\n...\r\nend\r\n.', 250], ['QUIT', 221],
    ])
    const [listed] = await b!.listEmails({ address_id: id })
    const { body: { data: email } } = await b!.api('GET', `/emails/${listed!.id}`)
    expect([email.subject, email.bodyText.trimEnd()]).to.deep.equal(['Here', '.dots\r\n\r\n..\r\nend'.replaceAll('\r\n', '\n')])
    const { body: { data: [accepted] } } = await b!.api('GET', `/addresses/${id}/activity`)
    expect(accepted.client).to.deep.equal({ address: '203.0.113.7', helo: 'sender.example.org' })
  })

  it('of any size arrives as it was sent, over one connection for the mails of a session', async () => {
    const { id, address } = await b!.newAddress()
    const before = b!.gates.smtp.connections
    const transport = createTransport({ host: '127.0.0.1', port: a!.smtp.port, pool: true, maxConnections: 1, tls: { rejectUnauthorized: false } })
    const contents = [10, 100_000, 12_000_000].map((length) => Buffer.alloc(length, '.line\r\n..dot\r\n'))
    for (const [i, content] of contents.entries()) {
      await transport.sendMail({ from: 'shop@example.org', to: address, subject: `Mail ${i}`, text: 'x', attachments: [{ filename: 'a', content }] })
    }
    transport.close()
    expect(await subjects(b!, id)).to.deep.equal(['Mail 0', 'Mail 1', 'Mail 2'])
    expect(b!.gates.smtp.connections).to.equal(before + 1)
    for (const { id: emailId } of await b!.listEmails({ address_id: id })) {
      const { body: { data: { subject, attachments: [file] } } } = await b!.api('GET', `/emails/${emailId}`)
      const { body } = await b!.api('GET', `/emails/${emailId}/attachments/${file.id}`)
      const sums = [body, contents[Number(subject.slice(5))]!].map((bytes: Buffer) => createHash('sha256').update(bytes).digest('hex'))
      expect(sums[0]).to.equal(sums[1])
    }
  })

  it('to unknown recipients is 550, and has no recipients of two cells', async () => {
    const [own, other, third] = await Promise.all([a!, b!, c!].map(async (cell) => (await cell.newAddress()).address))
    await playSession(a!.smtp, [
      hello, ['MAIL FROM:<shop@example.org>', 250],
      [`RCPT TO:<nobody@${b!.name}>`, 550], [`RCPT TO:<nobody@${a!.name}>`, 550], ['RCPT TO:<x@elsewhere.example.com>', 550],
      [`RCPT TO:<${other}>`, 250], [`RCPT TO:<${third}>`, 452], [`RCPT TO:<${own}>`, 452], [`RCPT TO:<nobody@${b!.name}>`, 550],
      ['RSET', 250], ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${own}>`, 250], [`RCPT TO:<${other}>`, 452],
      ['RSET', 250], ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${third}>`, 250], [`RCPT TO:<${other}>`, 452],
      ['DATA', 354], ['Subject: Third\r\n\r\nx\r\n.', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${other}>`, 250], ['QUIT', 221],
    ])
  })

  it('with a login goes to the cell of its address, for any recipient', async () => {
    const { id } = await b!.newAddress()
    const { body: { data: login } } = await b!.api('POST', `/addresses/${id}/smtp-login`)
    const token = (password: string) => Buffer.from(`\0${login.username}\0${password}`).toString('base64')
    await playSession(a!.smtp, [
      hello, [`AUTH PLAIN ${token('wrong')}`, 535], [`AUTH PLAIN ${token(login.password)}`, 235],
      ['MAIL FROM:<app@example.org>', 250], ['RCPT TO:<user@example.com>', 250], ['RCPT TO:<"a b"@example.com>', 250],
      ['DATA', 354], ['Subject: From an app\r\n\r\nx\r\n.', 250],
      ['MAIL FROM:<app@example.org>', 250], ['RCPT TO:<other@example.com>', 250], ['DATA', 354], ['Subject: Another\r\n\r\nx\r\n.', 250], ['QUIT', 221],
    ])
    expect(await subjects(b!, id)).to.deep.equal(['Another', 'From an app'])
  })

  it('with a login needs another one after STARTTLS', async () => {
    const { id } = await b!.newAddress()
    const { body: { data: login } } = await b!.api('POST', `/addresses/${id}/smtp-login`)
    const token = Buffer.from(`\0${login.username}\0${login.password}`).toString('base64')
    await using session = await openSession(a!.smtp)
    await session.play([hello, [`AUTH PLAIN ${token}`, 235], ['STARTTLS', 220]])
    await session.startTls()
    await session.play([hello, ['MAIL FROM:<app@example.org>', 250], ['RCPT TO:<user@example.com>', 550]])
  })

  it('has the sender and the last name of its client as they were given', async () => {
    const { id, address } = await b!.newAddress()
    const received = b!.gates.smtp.receives('Subject: Second')
    const mail = (subject: string): Step[] => [
      ['MAIL FROM:<"o \\"d"@example.org>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354], [`Subject: ${subject}\r\n\r\nx\r\n.`, 250],
    ]
    await playSession(a!.smtp, [['EHLO one.example.org', 250], ...mail('First'), ['EHLO two.example.org', 250], ...mail('Second')])
    expect([...(await received).matchAll(/^MAIL FROM:<(.*)>/gm)].map(([, path]) => path)).to.deep.equal(Array(2).fill('"o \\"d"@example.org'))
    const { body: { data } } = await b!.api('GET', `/addresses/${id}/activity`)
    expect(data.map(({ client }: { client: { helo: string } }) => client.helo)).to.have.members(['one.example.org', 'two.example.org'])
  })

  it('of a session whose client went away is dropped at the other cell', async () => {
    const { id, address } = await b!.newAddress()
    await using session = await openSession(a!.smtp)
    await session.play([hello, ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354]])
    const received = b!.gates.smtp.receives('The half of a mail')
    session.send(`Subject: Half\r\n\r\n${'x'.repeat(100_000)}\r\nThe half of a mail\r\n`)
    await received
    const ended = b!.gates.smtp.ends()
    session.socket.destroy()
    await ended
    await b!.send({ to: address, subject: 'Whole', text: 'x' })
    expect(await subjects(b!, id)).to.deep.equal(['Whole'])
  })

  it('that was passed on is not passed on again, and only a cell can pass it on', async () => {
    const { address } = await b!.newAddress()
    await playSession(a!.smtp, [[`XCELL ${cellsSecret}x 203.0.113.9 TLS`, 500], ['XCELL', 500], hello, ['QUIT', 221]])
    await playSession(a!.smtp, [
      [`XCELL ${cellsSecret} 203.0.113.9 TLS`, 250], hello, ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 550],
    ])
  })

  it('of an account to an address of another cell needs no other server', async () => {
    const { id } = await a!.newAddress()
    const to = await b!.newAddress()
    await a!.api('POST', '/emails', { body: { fromAddressId: id, to: to.address, subject: 'Between cells', body: 'x' } })
    await a!.settled()
    expect(await subjects(b!, to.id)).to.deep.equal(['Between cells'])
  })

  it('of an account to an address that has moved to another cell goes there', async () => {
    const { id: accountId } = await createAccount(a!, 'moved@example.org')
    const key = await a!.newKey({ account: accountId })
    const { body: { data: to } } = await callAt(a!, key, 'POST', '/addresses', {})
    await moveTo(a!, b!, accountId)
    const { id } = await a!.newAddress()
    await a!.api('POST', '/emails', { body: { fromAddressId: id, to: to.address, subject: 'After it', body: 'x' } })
    await a!.settled()
    const { body: { data } } = await callAt(b!, key, 'GET', `/emails?address_id=${to.id}`)
    expect(data.map(({ subject }: { subject: string }) => subject)).to.deep.equal(['After it'])
  })
})
