import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openDomainsWorld } from '../support/domains.ts'
import { openSession, playSession, type Step } from '../support/play-session.ts'
import { createAccount } from '../support/store/accounts.ts'
import { createAddress } from '../support/store/addresses.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const from: Step = ['MAIL FROM:<shop@example.org>', 250]
const fromUtf8: Step = ['MAIL FROM:<shop@example.org> SMTPUTF8', 250]

describe('SMTP recipients: spellings', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp({ smtpLimits: { guesses: 1_000 } })
    await app.newAddress({ alias: 'live' })
    await app.newAddress({ alias: 'like' })
  })
  after(() => app[Symbol.asyncDispose]())

  const offer = (mailFrom: Step, addresses: string[], code: number) =>
    playSession(app.smtp, [hello, mailFrom, ...addresses.map((address): Step => [`RCPT TO:<${address}>`, code])])

  it('of the domain that only map to the server\'s are refused: percent encoding, paths, full-width letters, soft hyphens', async () => {
    const wrong = [
      'mail.localhost/x', 'mail.localhost?x', 'mail.localhost#x', 'mail.localhost\\x', 'mail.localhost:25', 'mail%2elocalhost',
      'mail%2Elocalhost', '%6dail.localhost', 'mail.local%68ost', 'mail.local\u00adhost', 'ｍail.localhost', 'mail。localhost', 'mail．localhost',
      'mail.lo\u200ccalhost', 'mail.local\u2060host', '𝐦ail.localhost', 'mail.localhoſt', 'xn--mail-.localhost', 'mail..localhost', '.mail.localhost',
    ]
    for (const mailFrom of [from, fromUtf8]) {
      for (const domain of wrong) {
        await using session = await openOffer(mailFrom)
        const code = await session.codeOf(`live@${domain}`)
        expect(code, JSON.stringify(domain)).to.be.oneOf([501, 550])
      }
    }
  })

  it('of the alias that only look like an issued one are refused', async () => {
    await offer(fromUtf8, ['li\u212Ae@mail.localhost', 'ｌive@mail.localhost', 'li\u00adve@mail.localhost'], 550)
    await playSession(app.smtp, [hello, fromUtf8, ['RCPT TO:<like@mail.localhost>', 250], ['RCPT TO:<li\u212Ae@mail.localhost>', 550]])
  })

  it('in quotes are those without quotes (RFC 5321, section 4.1.2), as are those with a final dot', async () => {
    const right = ['"live"@mail.localhost', '"LIVE"@Mail.Localhost', '"live+news"@mail.localhost', '"l\\i\\ve"@mail.localhost', 'live@mail.localhost.', '"live"@mail.localhost.']
    await offer(from, [...right, '@relay.example:"live"@mail.localhost'], 250)
    await offer(fromUtf8, ['"live+grüße"@mail.localhost'], 250)
    await offer(from, ['"li ve"@mail.localhost', '"live@mail.localhost"@mail.localhost', '"liv\\"e"@mail.localhost', '""@mail.localhost', '"liv>e"@mail.localhost', 'live@mail.localhost..'], 550)
    await playSession(app.smtp, [hello, from, ['RCPT TO:<"live"x@mail.localhost>', 550], ['RCPT TO:<"live@mail.localhost>', 550], ['RCPT TO:<"live"@mail.localhost', 501]])
  })

  it('in quotes and without are one recipient', async () => {
    const { id } = await app.newAddress({ alias: 'quoted' })
    await playSession(app.smtp, [hello, from, ['RCPT TO:<"quoted"@mail.localhost>', 250], ...delivery('quoted@mail.localhost').slice(1)])
    expect((await app.onlyEmail(id)).to).to.equal('quoted@mail.localhost')
  })

  it('of a tag may have 64 characters', async () => {
    await offer(from, [`live+${'x'.repeat(64)}@mail.localhost`, 'live+@mail.localhost', 'live+a..b.@mail.localhost', 'live+a=b/c@mail.localhost'], 250)
    await offer(from, [`live+${'x'.repeat(65)}@mail.localhost`, `live+${'x'.repeat(1_500)}@mail.localhost`], 550)
    await offer(fromUtf8, [`live+${'ü'.repeat(64)}@mail.localhost`, `live+${'😀'.repeat(64)}@mail.localhost`], 250)
    await offer(fromUtf8, [`live+${'ü'.repeat(65)}@mail.localhost`, `live+${'😀'.repeat(65)}@mail.localhost`], 550)
  })

  it('of a tag may have characters beyond ASCII only with SMTPUTF8', async () => {
    const tags = ['grüße', '注文', 'заказ', 'טעם', 'cafe\u0301', '😀']
    await offer(fromUtf8, tags.map((tag) => `live+${tag}@mail.localhost`), 250)
    await offer(from, tags.map((tag) => `live+${tag}@mail.localhost`), 550)
  })

  it('of a tag have no control characters, bidi controls, invisible characters, delimiters or broken UTF-8', async () => {
    const wrong = ['a\u202eb', 'a\u200fb', 'a\u2066b', 'a\u061cb', 'a\u00adb', 'a\ufffdb', 'a"b', 'a,b', 'a(b)', 'a;b', 'a\\b', 'a[b]', 'a:b']
    await offer(fromUtf8, wrong.map((tag) => `live+${tag}@mail.localhost`), 550)
    for (const tag of ['a\u0000b', 'a\u0007b', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\u200bb', 'a\ufeffb', 'a\u2028b', 'a\u3000b']) {
      await using session = await openOffer(fromUtf8)
      expect(await session.codeOf(`live+${tag}@mail.localhost`), JSON.stringify(tag)).to.be.oneOf([501, 550])
    }
    await using session = await openOffer(fromUtf8)
    expect(await session.codeOf(Buffer.from('live+a\xffb@mail.localhost', 'latin1'))).to.equal(550)
  })

  it('of a tag are shown in lower case, otherwise unchanged', async () => {
    const { id } = await app.newAddress({ alias: 'shown' })
    await playSession(app.smtp, [hello, fromUtf8, ['RCPT TO:<Shown+GRÜSSE@mail.localhost>', 250], ...delivery('x').slice(2)])
    expect((await app.onlyEmail(id)).to).to.equal('shown+grüsse@mail.localhost')
  })

  it('of an international domain are equal as A-labels and as U-labels, and no others', async () => {
    await using world = await openDomainsWorld()
    await world.hold('xn--bcher-kva.example')
    const { body } = await world.app.api('POST', '/addresses', { body: { alias: 'box', domain: 'bücher.example' } })
    for (const domain of ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example']) {
      await playSession(world.app.smtp, [hello, ...delivery(`box@${domain}`)])
    }
    await playSession(world.app.smtp, [hello, from, ['RCPT TO:<box@bücher.example/x>', 550], ['RCPT TO:<box@ｂücher.example>', 550]])
    expect(await rawMails(world.app, body.data.id)).to.have.length(3)
  })

  it('of a default domain of a single label are found', async () => {
    await using single = await openTestApp({ env: { MAYFLY_DEFAULT_DOMAIN: 'localhost' } })
    await createAddress(single, await createAccount(single, 'ada@example.org'), { alias: 'live' })
    await playSession(single.smtp, [hello, from, ['RCPT TO:<live@localhost>', 250], ['RCPT TO:<live@LOCALHOST>', 250], ['RCPT TO:<live@other>', 550]])
  })

  /** Begins a mail in a new session, and offers one recipient. */
  async function openOffer(mailFrom: Step) {
    const session = await openSession(app.smtp)
    await session.play([hello, mailFrom])
    return {
      async codeOf(address: string | Buffer) {
        session.send(Buffer.concat([Buffer.from('RCPT TO:<'), Buffer.from(address), Buffer.from('>\r\n')]))
        return Number((await session.reply()).slice(0, 3))
      },
      [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
    }
  }
})

describe('SMTP senders: grammar', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const mailFrom = (sender: string, code: number): Step[] => [[`MAIL FROM:<${sender}>`, code], ['RSET', 250]]

  it('accepts senders of machines and of other systems in use', async () => {
    const senders = [
      'root@localhost', 'www-data@web_1', 'app@web_1.internal', 'user.@example.com', 'odd..dots@example.org', 'a@[192.0.2.1]', 'a@[IPv6:2001:db8::1]',
      'prvs=1234=a@example.org', 'SRS0=x=y=z=a@example.org', `${'x'.repeat(100)}@example.org`, 'grüße@bücher.example', 'a@xn--bcher-kva.example', 'A@EXAMPLE.ORG',
      'a@example.org.',
    ]
    await playSession(app.smtp, [hello, ...senders.flatMap((sender) => mailFrom(sender, 250))])
  })

  it('accepts local parts in quotes, with parameters behind them', async () => {
    const senders = ['"ada"@example.org', '"Ada L."@example.org', '"a@b"@example.org', '"a>b"@example.org', '"a\\"b"@example.org', '@relay.example:"ada l"@example.org']
    await playSession(app.smtp, [hello, ...senders.flatMap((sender): Step[] => [[`MAIL FROM:<${sender}> SIZE=100 BODY=8BITMIME`, 250], ['RSET', 250]])])
    await playSession(app.smtp, [hello, ['MAIL FROM:<"ada l"@example.org> SIZE=many', 501]])
    await playSession(app.smtp, [hello, ...['"a\u202eb"@example.org', '"a"b@example.org/x', '"a b"@example.org/x'].flatMap((sender) => mailFrom(sender, 553))])
  })

  it('refuses domains that only map to another one', async () => {
    const wrong = ['a@example.org/x', 'a@example%2eorg', 'a@ｅxample.org', 'a@exam\u00adple.org', 'a@example。org', 'a@example..org', 'a@[example.org]']
    const [, ...replies] = await playSession(app.smtp, [hello, ...wrong.flatMap((sender) => mailFrom(sender, 553))])
    expect(replies[0]).to.equal('553 5.1.7 The sender is not a mailbox')
  })

  it('refuses control and bidi control characters', async () => {
    await playSession(app.smtp, [hello, ...['a\u202eb@example.org', 'a\u2066@example.org', 'a\u00adb@example.org'].flatMap((sender) => mailFrom(sender, 553))])
  })

  it('accepts 254 octets and refuses more', async () => {
    const domain = `${'d'.repeat(63)}.${'d'.repeat(63)}.example`
    const ofLength = (length: number, letter = 'x') => `${letter.repeat((length - domain.length - 1) / Buffer.byteLength(letter))}@${domain}`
    const replies = await playSession(app.smtp, [
      hello, ...mailFrom(ofLength(254), 250), ...mailFrom(ofLength(255), 501), ...mailFrom(ofLength(1_900), 501),
      ...mailFrom(ofLength(258, 'ü'), 501), ...mailFrom(`a@${`${'d'.repeat(60)}.`.repeat(5)}example`, 501),
    ])
    expect(replies[3]).to.equal('501 5.1.7 The sender is longer than 254 octets')
  })

  it('counts the octets of a domain as A-labels', async () => {
    // 63 octets as an A-label, 177 in UTF-8
    const label = 'あ'.repeat(55)
    await playSession(app.smtp, [hello, ...mailFrom(`a@${label}.${label}.example`, 250)])
  })

  it('accepts mail of the same session after a refused sender', async () => {
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [hello, ['MAIL FROM:<a@example.org/x>', 553], [`RCPT TO:<${address}>`, 503], ...delivery(address)])
    expect(await rawMails(app, id)).to.have.length(1)
  })
})
