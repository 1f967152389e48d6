import { expect } from 'chai'
import { openSendingWorld } from './world.ts'
import type { SendingWorld } from './world.ts'

/** Recipients, each with the mailbox that its mail may reach; null when it must be refused. */
const recipients: [string, string | null][] = [
  ['ada@example.org\r\nBcc: eve@example.org', null],
  ['ada@example.org\nBcc: eve@example.org', null],
  ['ada@example.org\rRCPT TO:<eve@example.org>', null],
  ['ada@example.org>\r\nRCPT TO:<eve@example.org', null],
  ['ada@example.org%0d%0aBcc:eve@example.org', null],
  ['ada@example.org\0', null],
  ['ada@example.org, eve@example.org', null],
  ['ada@example.org; eve@example.org', null],
  ['ada@example.org eve@example.org', null],
  ['ada@example.org,', null],
  ['<ada@example.org>, <eve@example.org>', null],
  ['Ada <ada@example.org>, Eve <eve@example.org>', null],
  ['Ada <ada@example.org> <eve@example.org>', null],
  ['team: ada@example.org, eve@example.org;', null],
  ['team:;', null],
  ['undisclosed-recipients:;', null],
  ['ada@example.org (eve@example.org)', null],
  ['(comment) ada@example.org', null],
  ['ada(comment)@example.org', null],
  ['"ada"@example.org', 'ada@example.org'],
  ['Ada <"a\\da"@example.org>', 'ada@example.org'],
  ['"ada" <"ada"@example.org>', 'ada@example.org'],
  ['"ada eve"@example.org', null],
  ['"ada"eve@example.org', null],
  ['"ada",eve@example.org', null],
  ['"ada@example.org"@example.org', null],
  ['"ada\\"@example.org', null],
  ['"eve@example.org" <ada@example.org>', 'ada@example.org'],
  ['eve@example.org <ada@example.org>', null],
  ['Ada <ada@example.org>', 'ada@example.org'],
  ['<ada@example.org>', 'ada@example.org'],
  ['ada@example.org@example.org', null],
  ['@example.org:ada@example.org', null],
  ['ada%eve.example@example.org', 'ada%eve.example@example.org'],
  ['ada!eve@example.org', 'ada!eve@example.org'],
  ['аda@example.org', null], // Cyrillic а
  ['ada＠example.org', null],
  ['ada@exａmple.org', null],
  ['ada@example。org', null],
  ['ada@example.or\u200bg', null],
  ['ada@\u212axample.org', null], // Kelvin sign
  ['\u202eada@example.org', null],
  [`${'a'.repeat(101)}@example.org`, null],
  [`${'a'.repeat(100)}@example.org`, `${'a'.repeat(100)}@example.org`],
  [`ada@${'a'.repeat(64)}.example.org`, null],
  ['ada@[127.0.0.1]', null],
  ['ada@127.0.0.1', null],
  ['ada@2130706433', null],
  ['ada@localhost', null],
  ['ada@example..org', null],
  ['.ada@example.org', null],
  ['ada..eve@example.org', null],
  ['ADA@EXAMPLE.ORG', 'ADA@example.org'],
  ['  ada@example.org ', 'ada@example.org'],
  ['--@example.org', '--@example.org'],
  ['ada', null],
  ['@', null],
]

const subjects = [
  'one\r\nBcc: eve@example.org', 'one\nBcc: eve@example.org', 'one\r\n\r\nbody', 'one\rX: y', '\r\n', 'x\u0085Bcc: eve@example.org',
  'x\u2028Bcc: eve@example.org', '\0', '=?utf-8?Q?=0D=0ABcc:_eve@example.org?=', '=?utf-8?B?DQpCY2M6IGV2ZUBleGFtcGxlLm9yZw==?=',
  '\u202etxt.exe', '"; Bcc: eve@example.org', 'ä'.repeat(200), 'a '.repeat(100), '\ttab', '\ud800',
]

describe('Sending: hostile input', () => {
  let world: SendingWorld

  before(async () => { world = await openSendingWorld() })
  after(() => world[Symbol.asyncDispose]())

  async function send(changes: object) {
    const { app, receiver, from } = world
    const before = receiver.mails.length
    const answer = await app.api('POST', '/emails', {
      body: { fromAddressId: from.id, to: 'ada@example.org', subject: 's', body: 'b', ...changes },
    })
    await app.settled()
    return { answer, mails: receiver.mails.slice(before) }
  }

  for (const [to, mailbox] of recipients) {
    it(`as a recipient ${JSON.stringify(to).slice(0, 60)} ${mailbox ? 'reaches exactly this mailbox' : 'is refused'}`, async () => {
      const { answer, mails } = await send({ to })
      if (mailbox === null) {
        expect(answer.status).to.equal(400)
        expect(answer.body.code).to.equal('INVALID_REQUEST')
        expect(answer.body.details[0].path).to.equal('body.to')
        expect(mails).to.deep.equal([])
        return
      }
      expect(answer.status).to.equal(202)
      expect(mails.map(({ recipients }) => recipients)).to.deep.equal([[mailbox]])
      expect(headerOf(mails[0]!.sourceText).filter((line) => /^(to|cc|bcc):/i.test(line))).to.deep.equal([`To: ${mailbox}`])
    })
  }

  for (const subject of subjects) {
    it(`as a subject ${JSON.stringify(subject).slice(0, 60)} adds nothing to the header`, async () => {
      const { answer, mails } = await send({ subject })
      if (answer.status === 400) {
        expect(answer.body.details[0].path).to.equal('body.subject')
        expect(mails).to.deep.equal([])
        return
      }
      expect(answer.status).to.equal(202)
      expect(mails.map(({ recipients }) => recipients)).to.deep.equal([['ada@example.org']])
      const names = headerOf(mails[0]!.sourceText).map((line) => line.slice(0, line.indexOf(':')))
      expect(names).to.have.members(['From', 'To', 'Subject', 'Message-ID', 'Content-Transfer-Encoding', 'Date', 'MIME-Version', 'Content-Type'])
    })
  }

  it('as text changes neither header nor structure', async () => {
    const body = '.\r\n..\r\nQUIT\r\n\r\n.\r\nMAIL FROM:<eve@example.org>\r\n--boundary\r\nFrom the start\n'
    const { answer, mails } = await send({ body, bodyHtml: '<script>alert(1)</script>\r\n.\r\n' })
    expect(answer.status).to.equal(202)
    expect(mails).to.have.length(1)
    expect(mails[0]!.sourceText).to.contain('MAIL FROM:<eve@example.org>')
  })
})

/** The fields of a header, unfolded. */
const headerOf = (source: string) => source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ').split('\r\n')
