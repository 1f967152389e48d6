import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession } from '../support/play-session.ts'

interface Login {
  user: string
  password: string
  /** The response of AUTH PLAIN. */
  plain: string
}

/** Bytes of a client, and the reply to each of its commands. */
type Exchange = [sent: string, ...replies: (string | RegExp)[]]

const capabilities = /^250-mail\.localhost\r\n[^]*^250[- ]AUTH PLAIN LOGIN\r\n/m
const recipients = ['ada@customer.example', 'grace@customer.example', 'team@other.example', 'audit@hidden.example', 'log@hidden.example']
const accepted = /^250 2\.1\.[05] Accepted$/
const authenticated = '235 2.7.0 Authentication successful'
const goAhead = /^354 /
const taken = /^250 2\.\d\.0 Accepted$/
const text = `From: app@shop.example\r\nTo: ${recipients.slice(0, 2).join(', ')}\r\nSubject: Welcome\r\n\r\nYour code is 482913.\r\n.\r\n`
const oneByOne = (verb = 'RCPT TO'): Exchange[] => recipients.map((recipient) => [`${verb}:<${recipient}>\r\n`, accepted])

/** The sessions of clients as they send them. None of them runs in this test: those that do are in clients.test.ts. */
const clients: { name: string, exchanges: (login: Login) => Exchange[] }[] = [
  {
    name: 'Jakarta Mail: AUTH LOGIN in steps',
    exchanges: ({ user, password }) => [
      ['EHLO app.shop.example\r\n', capabilities], ['AUTH LOGIN\r\n', '334 VXNlcm5hbWU6'], [`${user}\r\n`, '334 UGFzc3dvcmQ6'], [`${password}\r\n`, authenticated],
      ['MAIL FROM:<app@shop.example>\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'Jakarta Mail with a submitter: AUTH in MAIL',
    exchanges: ({ plain }) => [
      ['EHLO app.shop.example\r\n', capabilities], [`AUTH PLAIN ${plain}\r\n`, authenticated],
      ['MAIL FROM:<app@shop.example> AUTH=app@shop.example\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'SmtpClient of .NET: AUTH login with the user in its line',
    exchanges: ({ user, password }) => [
      ['EHLO DESKTOP-7Q2\r\n', capabilities], [`AUTH login ${user}\r\n`, '334 UGFzc3dvcmQ6'], [`${password}\r\n`, authenticated],
      ['MAIL FROM:<app@shop.example>\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'MailKit: AUTH PLAIN in one line, pipelined',
    exchanges: ({ plain }) => [
      ['EHLO [127.0.0.1]\r\n', capabilities], [`AUTH PLAIN ${plain}\r\n`, authenticated],
      [
        `MAIL FROM:<app@shop.example> BODY=8BITMIME SIZE=140\r\n${recipients.map((recipient) => `RCPT TO:<${recipient}>\r\n`).join('')}`,
        accepted, ...recipients.map(() => accepted),
      ],
      ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'Symfony Mailer: AUTH LOGIN in steps after CRAM-MD5 was refused',
    exchanges: ({ user, password }) => [
      ['EHLO [127.0.0.1]\r\n', capabilities], ['AUTH CRAM-MD5\r\n', '504 5.5.4 AUTH takes PLAIN or LOGIN here'], ['RSET\r\n', /^250 /],
      ['AUTH LOGIN\r\n', '334 VXNlcm5hbWU6'], [`${user}\r\n`, '334 UGFzc3dvcmQ6'], [`${password}\r\n`, authenticated],
      ['MAIL FROM:<app@shop.example>\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken],
    ],
  },
  {
    name: 'gen_smtp of Erlang: AUTH PLAIN, lower-case host',
    exchanges: ({ plain }) => [
      ['EHLO nonode\r\n', capabilities], [`AUTH PLAIN ${plain}\r\n`, authenticated],
      ['MAIL FROM:<app@shop.example>\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'a client with AUTH PLAIN in steps, whose challenge is empty',
    exchanges: ({ plain }) => [
      ['EHLO vm\r\n', capabilities], ['AUTH PLAIN\r\n', '334 '], [`${plain}\r\n`, authenticated],
      ['MAIL FROM:<app@shop.example>\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'Sendmail: AUTH=<> in MAIL, all of the envelope in one piece',
    exchanges: ({ plain }) => [
      ['EHLO app.shop.example\r\n', capabilities], [`AUTH PLAIN ${plain}\r\n`, authenticated],
      [
        `MAIL From:<app@shop.example> SIZE=140 AUTH=<>\r\n${recipients.map((recipient) => `RCPT To:<${recipient}>\r\n`).join('')}DATA\r\n`,
        accepted, ...recipients.map(() => accepted), goAhead,
      ],
      [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
  {
    name: 'a client with lower-case verbs, and a space after the colons',
    exchanges: ({ plain }) => [
      ['ehlo app\r\n', capabilities], [`auth plain ${plain}\r\n`, authenticated], ['mail from: <app@shop.example>\r\n', accepted],
      ...recipients.map((recipient): Exchange => [`rcpt to: <${recipient}>\r\n`, accepted]), ['data\r\n', goAhead], [text, taken], ['quit\r\n', /^221 /],
    ],
  },
  {
    name: 'a client that sends an empty response as "=", and cancels, before it logs in',
    exchanges: ({ plain }) => [
      ['EHLO app\r\n', capabilities], ['AUTH PLAIN =\r\n', /^501 5\.5\.4 /], ['AUTH LOGIN\r\n', /^334 /], ['*\r\n', /^501 5\.5\.4 /],
      [`AUTH PLAIN ${plain}\r\n`, authenticated], ['AUTH PLAIN\r\n', /^503 5\.5\.1 /],
      ['MAIL FROM:<app@shop.example>\r\n', accepted], ...oneByOne(), ['DATA\r\n', goAhead], [text, taken], ['QUIT\r\n', /^221 /],
    ],
  },
]

describe('SMTP clients: their dialogues, byte for byte', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ env: { MAYFLY_SUBMISSION_PORT: '0', MAYFLY_SMTPS_PORT: '0' } }) })
  after(() => app[Symbol.asyncDispose]())

  for (const { name, exchanges } of clients) {
    it(name, async () => {
      const base64 = (value: string) => Buffer.from(value).toString('base64')
      const { smtp: { port, submission, smtps } } = app.app
      for (const way of ['clear text', 'STARTTLS', 'implicit TLS'] as const) {
        const { body: { data: { id, smtp: { username, password } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
        const target = {
          'clear text': { host: '127.0.0.1', port }, STARTTLS: { host: '127.0.0.1', port: submission!.port },
          'implicit TLS': { host: '127.0.0.1', port: smtps!.port, tls: {} },
        }[way]
        await using session = await openSession(target)
        expect(session.greeting).to.equal('220 mail.localhost ESMTP')
        if (way === 'STARTTLS') {
          await session.play([['EHLO app', 250], ['STARTTLS', 220]])
          await session.startTls()
        }
        const login = { user: base64(username), password: base64(password), plain: base64(`\0${username}\0${password}`) }
        for (const [sent, ...replies] of exchanges(login)) {
          session.send(sent)
          for (const expected of replies) {
            const reply = await session.reply({ isExact: true })
            if (typeof expected === 'string') expect(reply, `${way}: ${sent}`).to.equal(`${expected}\r\n`)
            else expect(/^250-/.test(reply) ? reply : reply.trimEnd(), `${way}: ${sent}`).to.match(expected)
          }
        }
        expect((await app.onlyEmail(id)).recipients).to.deep.equal(recipients)
      }
    })
  }
})
