import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

describe('SMTP DATA: the bytes of a mail', () => {
  let app: TestApp
  let address: { id: string, address: string }
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(async () => { address = await app.newAddress() })

  const keeps = async (sent: string) => {
    await playSession(app.smtp, [hello, ...delivery(address.address, sent)])
    return (await rawMails(app, address.id)).at(-1)
  }

  it('are kept byte for byte', async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i).filter((byte) => byte !== 10 && byte !== 13))
    for (const text of [`Subject: x\r\n\r\n${bytes}\r\n`, '\r\n', ' \r\n\r\n\r\n', `${'x'.repeat(100_000)}\r\n`, 'no header\r\n', '']) {
      expect(await keeps(text)).to.equal(text)
    }
  })

  it('are kept whole when the mail is long', async () => {
    const text = `Subject: long\r\n\r\n${`${'0123456789'.repeat(7)}\r\n`.repeat(60_000)}`
    expect(await keeps(text) === text).to.equal(true)
  })

  it('lose the dots of dot-stuffing, and no others', async () => {
    expect(await keeps('..\r\n...\r\na.\r\n..b\r\n\r\n..\r\n')).to.equal('.\r\n..\r\na.\r\n.b\r\n\r\n.\r\n')
  })

  it('do not depend on the boundaries of packets', async () => {
    const text = '..a\r\n..\r\n\r\nb\nc\rd\r\n...\r\n.\r\n'
    for (let cut = 1; cut < text.length; cut++) {
      await using session = await openSession(app.smtp)
      await session.play([hello, ...delivery(address.address).slice(0, 3)])
      session.send(text.slice(0, cut))
      await new Promise(setImmediate)
      session.send(text.slice(cut))
      expect(await session.reply()).to.match(/^250 /)
    }
    const kept = await rawMails(app, address.id)
    expect(kept).to.have.length(text.length - 1)
    expect(new Set(kept)).to.deep.equal(new Set(['.a\r\n.\r\n\r\nb\r\nc\r\nd\r\n..\r\n']))
  })

  it('get CRLF line endings', async () => {
    expect(await keeps('Subject: x\n\na\rb\r\rc\n\rd\r\n')).to.equal('Subject: x\r\n\r\na\r\nb\r\n\r\nc\r\n\r\nd\r\n')
  })

  for (const trick of ['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\r\n\0.\r\n', '\r\n.\0\r\n', '\r\n. \r\n']) {
    it(`do not end with ${JSON.stringify(trick)}, against SMTP smuggling`, async () => {
      const smuggled = `MAIL FROM:<evil@example.org>\r\nRCPT TO:<${address.address}>\r\nDATA\r\nsmuggled\r\n`
      await playSession(app.smtp, [hello, ...delivery(address.address, `first${trick}${smuggled}`), ['NOOP', 250]])
      const [kept, ...more] = await rawMails(app, address.id)
      expect(kept).to.include('smuggled')
      expect(kept!.replaceAll('\r\n', '')).to.not.match(/[\r\n]/)
      expect(more).to.deep.equal([])
    })
  }

  it('may be followed by the next mail in the same packet', async () => {
    await using session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address.address).slice(0, 3)])
    session.send(`one\r\n.\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<${address.address}>\r\nDATA\r\ntwo\r\n.\r\nQUIT\r\n`)
    await session.ended()
    expect(await rawMails(app, address.id)).to.deep.equal(['one\r\n', 'two\r\n'])
  })

  for (const [name, text] of [
    ['at once', ''], ['in the middle', 'Subject: half\r\n\r\nhalf'], ['after a line', 'Subject: half\r\n\r\nhalf\r\n'],
    ['before the end of the dot', 'Subject: half\r\n\r\nhalf\r\n.'], ['after megabytes', `${'x'.repeat(1022)}\r\n`.repeat(3000)],
  ] as const) {
    for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
      it(`are dropped when the client disconnects ${name} (${how})`, async () => {
        await using session = await openSession(app.smtp)
        await session.play([hello, ...delivery(address.address).slice(0, 3)])
        await new Promise<void>((resolve) => { session.socket.write(text, () => resolve()) })
        session.socket[how]()
        await session.ended()
        await noConnections(app)
        expect(await rawMails(app, address.id)).to.deep.equal([])
        await playSession(app.smtp, [hello, ...delivery(address.address)])
        expect(await rawMails(app, address.id)).to.have.length(1)
      })
    }
  }
})

async function noConnections(app: TestApp) {
  while (app.app.smtp.connections > 0) await new Promise(setImmediate)
}
