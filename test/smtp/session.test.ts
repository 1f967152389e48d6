import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

describe('SMTP session', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  it('begins with a greeting that has the name of the mail host', async () => {
    await using session = await openSession(app.smtp)
    expect(session.greeting).to.equal('220 mail.localhost ESMTP')
  })

  it('gets the extensions of the server in the reply to EHLO, and no others', async () => {
    const [reply] = await playSession(app.smtp, [hello])
    expect(reply!.split('\r\n').map((line) => line.slice(4))).to.deep.equal([
      'mail.localhost', 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'AUTH PLAIN LOGIN', 'SIZE 26214400',
    ])
  })

  it('delivers a mail', async () => {
    const { id, address } = await app.newAddress()
    const replies = await playSession(app.smtp, [hello, ...delivery(address, 'Subject: code 1234\r\n\r\nhi\r\n'), ['QUIT', 221]])
    expect(replies.slice(1)).to.deep.equal([
      '250 2.1.0 Accepted', '250 2.1.5 Accepted', '354 End data with <CR><LF>.<CR><LF>', '250 2.6.0 Accepted', '221 2.0.0 Bye',
    ])
    expect((await app.onlyEmail(id)).subject).to.equal('code 1234')
  })

  it('works with HELO, and with several mails', async () => {
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [['HELO client', 250], ...delivery(address, 'one\r\n'), ...delivery(address, 'two\r\n'), ['QUIT', 221]])
    expect(await rawMails(app, id)).to.deep.equal(['one\r\n', 'two\r\n'])
  })

  it('refuses parameters of extensions that it does not offer', async () => {
    const { id, address } = await app.newAddress()
    const replies = await playSession(app.smtp, [
      hello, ['MAIL FROM:<a@example.org> RET=HDRS ENVID=1', 555], ['MAIL FROM:<a@example.org> SIZE=10 BODY=8BITMIME', 250],
      [`RCPT TO:<${address}> NOTIFY=NEVER`, 555], [`RCPT TO:<${address}>`, 250], ['DATA now', 501], ['RSET x', 501], ['DATA ', 354], ['hi\r\n.', 250], ['QUIT', 221],
    ])
    expect(replies[1]).to.equal('555 5.5.4 This server does not have this parameter')
    expect(await rawMails(app, id)).to.deep.equal(['hi\r\n'])
  })

  it('drops the begun mail at RSET', async () => {
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [
      hello, ['MAIL FROM:<a@example.org>', 250], [`RCPT TO:<${address}>`, 250], ['RSET', 250], ['DATA', 503], ...delivery(address),
    ])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('requires the order of commands', async () => {
    const { address } = await app.newAddress()
    await playSession(app.smtp, [
      ['MAIL FROM:<a@example.org>', 503], hello, [`RCPT TO:<${address}>`, 503], ['DATA', 503],
      ['MAIL FROM:<a@example.org>', 250], ['DATA', 503], ['MAIL FROM:<b@example.org>', 503], ...delivery(address).slice(1),
    ])
  })

  it('accepts mail of the null sender, as bounces have', async () => {
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [hello, ['MAIL FROM:<>', 250], ...delivery(address).slice(1)])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  for (const sender of ['grüße@bücher.example', 'a@xn--bcher-kva.example', 'odd..dots.@example.org', "o'brien+tag=x@example.org"]) {
    it(`accepts mail of ${sender}`, async () => {
      const { id, address } = await app.newAddress()
      await playSession(app.smtp, [hello, [`MAIL FROM:<${sender}> SMTPUTF8 BODY=8BITMIME`, 250], ...delivery(address).slice(1)])
      expect(await rawMails(app, id)).to.have.length(1)
    })
  }

  it('may come in one packet, even before the greeting', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp, wholeSession(address))
    expect(await codesUntilEnd(session)).to.deep.equal([250, 250, 250, 354, 250, 221])
    expect(await rawMails(app, id)).to.deep.equal(['Subject: x\r\n\r\n.dot\r\n'])
  })

  it('may come byte by byte', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    for (const byte of wholeSession(address)) {
      session.send(byte)
      await new Promise(setImmediate)
    }
    expect(await codesUntilEnd(session)).to.deep.equal([250, 250, 250, 354, 250, 221])
    expect(await rawMails(app, id)).to.deep.equal(['Subject: x\r\n\r\n.dot\r\n'])
  })

  it('sends the replies to pipelined commands together', async () => {
    await using session = await openSession(app.smtp)
    await session.play([hello])
    const packets: string[] = []
    session.socket.on('data', (chunk) => packets.push(String(chunk)))
    session.send('MAIL FROM:<a@example.org>\r\nNOOP\r\nNOOP\r\nQUIT\r\n')
    await session.ended()
    expect(packets.map((packet) => packet.match(/^\d+/gm))).to.deep.equal([['250', '250', '250', '221']])
  })

  it('does not reveal which addresses exist (VRFY, EXPN)', async () => {
    const { address } = await app.newAddress()
    const replies = await playSession(app.smtp, [
      hello, [`VRFY ${address}`, 252], ['VRFY nobody@mail.localhost', 252], [`EXPN ${address}`, 502], ['EXPN nobody', 502],
    ])
    expect(replies[1]).to.equal(replies[2])
  })

  for (const command of [
    'STARTTLS', 'BDAT 5 LAST', 'BURL imap://x LAST', 'XCLIENT ADDR=10.0.0.1', 'XFORWARD ADDR=10.0.0.1', 'ETRN x', 'ATRN x',
    'TURN', 'SEND FROM:<a@example.org>', 'SOML FROM:<a@example.org>', 'SAML FROM:<a@example.org>', 'EXPN list',
  ]) {
    it(`answers ${command} with 502: it is known, and not implemented`, async () => {
      const replies = await playSession(app.smtp, [[command, 502], hello, [command, 502], ['NOOP', 250]])
      expect(replies[0]).to.equal('502 5.5.1 Command not implemented')
    })
  }

  for (const command of ['WIZ x', 'SHELL', 'FROB', '', '\0\xff']) {
    it(`refuses ${JSON.stringify(command)}`, async () => {
      await playSession(app.smtp, [hello, [command, 500], ['NOOP', 250]])
    })
  }

  for (const [command, code] of [
    ['MAIL FROM:a@example.org', 501], ['MAIL FROM:<a@example.org', 501], ['MAIL FROM:<a@example.org> BODY=BINARYMIME', 501],
    ['MAIL FROM:<a@example.org> SIZE=many', 501], ['EHLO', 501], ['EHLO two words', 501],
  ] as const) {
    it(`answers ${command} with ${code}`, async () => {
      await playSession(app.smtp, [hello, [command, code], ['NOOP', 250]])
    })
  }

  it('is closed when a browser sends HTTP', async () => {
    await using session = await openSession(app.smtp)
    await session.play([['POST / HTTP/1.1', 421]])
    expect(await session.ended()).to.equal('')
  })
})

const wholeSession = (address: string) =>
  `EHLO me\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\nSubject: x\r\n\r\n..dot\r\n.\r\nQUIT\r\n`

async function codesUntilEnd(session: { ended(): Promise<string> }) {
  return [...(await session.ended()).matchAll(/^(\d{3})(?: |$)/gm)].map(([, code]) => Number(code))
}
