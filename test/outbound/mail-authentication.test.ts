import { expect } from 'chai'
import { authenticate as authenticateByMailauth } from 'mailauth'
import type { ARCResult } from 'mailauth'
import { openResolver } from '../../server/outbound/dns.ts'
import type { Resolver } from '../../server/outbound/dns.ts'
import { unchecked } from '../../server/outbound/authentication-results.ts'
import { authenticateMail } from '../../server/outbound/mail-authentication.ts'
import type { AuthenticationOptions } from '../../server/outbound/mail-authentication.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer, DnsZone } from '../support/dns-server.ts'
import { newKey, signWith } from '../support/signed-mail.ts'

const text = (from = 'Shop <shop@example.org>', body = 'Hello\r\n') =>
  `From: ${from}\r\nTo: ada@mail.localhost\r\nSubject: Hi\r\nMessage-ID: <1@example.org>\r\n\r\n${body}`

const rsa = newKey('example.org')
const second = newKey('example.org', { type: 'ed25519', selector: 's2' })
const foreign = newKey('esp.example', { selector: 's3' })
const weak = newKey('example.org', { bits: 512, selector: 'weak' })
const lost = newKey('example.org', { selector: 'lost' })
const lame = newKey('lame.example')
const ours = newKey('mail.localhost', { selector: 'mayfly' })

const includes = (name: string) => ({ TXT: [`v=spf1 ${Array.from({ length: 11 }, (_, i) => `include:${i}.${name}`).join(' ')} -all`] })

const zone: DnsZone = {
  'example.org': { TXT: ['v=spf1 ip4:192.0.2.1 ~all', 'something else'] },
  '_dmarc.example.org': { TXT: ['v=DMARC1; p=reject'] },
  [rsa.name]: { TXT: [rsa.record] },
  [second.name]: { TXT: [second.record] },
  [foreign.name]: { TXT: [foreign.record] },
  [weak.name]: { TXT: [weak.record] },
  [lame.name]: 'SERVFAIL',
  [ours.name]: { TXT: [ours.record] },
  'strict.example': { TXT: ['v=spf1 -all'] },
  'neutral.example': { TXT: ['v=spf1 ?all'] },
  'twice.example': { TXT: ['v=spf1 -all', 'v=spf1 +all'] },
  'deep.example': includes('deep.example'),
  ...Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`${i}.deep.example`, { TXT: ['v=spf1 ip4:198.51.100.1 ?all'] }])),
  'lame.example': 'SERVFAIL',
  '_dmarc.lame.example': 'SERVFAIL',
  'silent.example': 'silent',
  '_dmarc.silent.example': 'silent',
  'mx.example.org': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'bare.example': { A: ['192.0.2.9'] },
  'long.example': { TXT: [`v=spf1 exists:${'%{l}'.repeat(3_000)}.example -all`] },
  'macros.example': { TXT: [`v=spf1 exists:${'%{l}'.repeat(1_000)}.example -all`] },
}

describe('Mail authentication', () => {
  let dns: DnsServer
  let resolver: Resolver

  before(async () => {
    dns = await openDnsServer(zone)
    resolver = openResolver([dns.servers], { timeoutMs: 3_000, tries: 1 })
  })
  after(async () => {
    resolver.close()
    await dns[Symbol.asyncDispose]()
  })

  const authenticate = (source: string | Buffer, envelope = {}, options: Partial<AuthenticationOptions> = {}) => authenticateMail(
    inPieces(Buffer.from(source)), { sender: 'shop@example.org', helo: 'mx.example.org', remoteAddress: '192.0.2.1', ...envelope },
    { lookup: resolver.lookup, mta: 'mail.localhost', sealKey: null, ...options },
  )
  const check = async (...args: Parameters<typeof authenticate>) => (await authenticate(...args)).results!

  describe('by SPF', () => {
    for (const [name, envelope, result, domain] of [
      ['a host that may', {}, 'pass', 'example.org'],
      ['one that hides behind IPv6', { remoteAddress: '::ffff:192.0.2.1' }, 'pass', 'example.org'],
      ['one that probably may not', { remoteAddress: '192.0.2.2' }, 'softfail', 'example.org'],
      ['one that may not', { sender: 'a@strict.example' }, 'fail', 'strict.example'],
      ['a domain that says nothing of it', { sender: 'a@neutral.example' }, 'neutral', 'neutral.example'],
      ['a domain without a record', { sender: 'a@bare.example' }, 'none', 'bare.example'],
      ['a domain that does not exist', { sender: 'a@nowhere.example' }, 'none', 'nowhere.example'],
      ['two records', { sender: 'a@twice.example' }, 'permerror', 'twice.example'],
      ['too many look-ups', { sender: 'a@deep.example' }, 'permerror', 'deep.example'],
      ['a DNS server that fails', { sender: 'a@lame.example' }, 'temperror', 'lame.example'],
      ['one that is silent', { sender: 'a@silent.example' }, 'temperror', 'silent.example'],
      ['a null sender', { sender: '' }, 'pass', 'mx.example.org'],
      ['a null sender from elsewhere', { sender: '', remoteAddress: '192.0.2.2' }, 'fail', 'mx.example.org'],
      ['a null sender of a literal', { sender: '', helo: '[192.0.2.1]' }, 'none', null],
      ['no HELO', { sender: '', helo: '' }, 'none', null],
      ['a sender without a domain', { sender: 'root' }, 'none', null],
      ['a sender in quotes', { sender: '"a@strict.example"@example.org' }, 'pass', 'example.org'],
      ['a record of many pages', { sender: 'a@long.example' }, 'none', 'long.example'],
      ['a record that makes names without end', { sender: `${'a'.repeat(300)}!@macros.example` }, 'permerror', 'macros.example'],
    ] as const) {
      it(`${name}: ${result}`, async () => {
        expect((await check(text(), envelope)).spf).to.deep.equal({ result, domain })
      })
    }
  })

  describe('by DKIM', () => {
    const dkimOf = async (source: string | Buffer) => (await check(source)).dkim

    it('a good signature: pass', async () => {
      expect(await dkimOf(await signWith(text(), rsa))).to.deep.equal([{ result: 'pass', domain: 'example.org', selector: 's1' }])
    })

    it('no signature: an empty list', async () => {
      expect(await dkimOf(text())).to.deep.equal([])
    })

    it('several signatures: each has its result, from the top', async () => {
      const signed = (await signWith(text(), rsa, second, foreign)).toString().replace(/(s=s2.*?b=)/s, '$1AAAA')
      expect(await dkimOf(signed)).to.deep.equal([
        { result: 'pass', domain: 'esp.example', selector: 's3' },
        { result: 'fail', domain: 'example.org', selector: 's2' },
        { result: 'pass', domain: 'example.org', selector: 's1' },
      ])
    })

    for (const [name, change] of [
      ['another body', (source: string) => source.replace('Hello', 'Hullo')],
      ['more of a body', (source: string) => `${source}P.S.\r\n`],
      ['another subject', (source: string) => source.replace('Subject: Hi', 'Subject: Ho')],
    ] as const) {
      it(`${name} than was signed: fail`, async () => {
        const results = await dkimOf(change((await signWith(text(), rsa)).toString()))
        expect(results.map(({ result }) => result)).to.deep.equal(['fail'])
      })
    }

    for (const [name, key, result] of [
      ['a key that is not there', lost, 'permerror'],
      ['a key that is too short', weak, 'policy'],
      ['a DNS server that fails', lame, 'temperror'],
    ] as const) {
      it(`${name}: ${result}`, async () => {
        expect(await dkimOf(await signWith(text(), key))).to.deep.equal([{ result, domain: key.domain, selector: key.selector }])
      })
    }

    it('500 signatures: only the ten next to the body are checked', async () => {
      const signed = await signWith(text(), rsa)
      const asked = dns.questions.length
      const bogus = Array.from({ length: 499 }, (_, i) =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=d${i}.example; s=s; h=from; bh=${'A'.repeat(43)}=; b=AAAA\r\n`)
      const results = await dkimOf(bogus.join('') + signed.toString())
      expect(results).to.have.length(10)
      expect(results.at(-1)).to.deep.equal({ result: 'pass', domain: 'example.org', selector: 's1' })
      expect(results[0]!.domain).to.equal('d490.example')
      expect(dns.questions.length - asked).to.be.lessThan(20)
    })

    it('shows domains without line breaks, and of limited length', async () => {
      const [signature] = await dkimOf(`DKIM-Signature: v=1; a=rsa-sha256; d=a\x07\x1b[31m.example; s=${'s'.repeat(4_000)}; h=from; bh=AAAA; b=AAAA\r\n${text()}`)
      expect(signature!.domain).to.equal('a[31m.example')
      expect(signature!.selector).to.have.length(255)
    })
  })

  describe('by DMARC', () => {
    const dmarcOf = async (source: string | Buffer, envelope = {}) => (await check(source, envelope)).dmarc
    const elsewhere = { remoteAddress: '198.51.100.7' }

    it('SPF for the domain in From: pass', async () => {
      expect(await dmarcOf(text())).to.deep.equal({ result: 'pass', domain: 'example.org', policy: 'reject' })
    })

    it('DKIM of a domain above it: pass', async () => {
      expect(await dmarcOf(await signWith(text('a@news.example.org'), rsa), elsewhere))
        .to.deep.equal({ result: 'pass', domain: 'news.example.org', policy: 'reject' })
    })

    it('DKIM and SPF of others only: fail, with the policy', async () => {
      expect(await dmarcOf(await signWith(text(), foreign), { sender: 'a@neutral.example' }))
        .to.deep.equal({ result: 'fail', domain: 'example.org', policy: 'reject' })
    })

    it('no policy: none', async () => {
      expect(await dmarcOf(text('a@bare.example'))).to.deep.equal({ result: 'none', domain: 'bare.example', policy: null })
    })

    it('a DNS server that fails: temperror', async () => {
      expect(await dmarcOf(text('a@lame.example'))).to.deep.equal({ result: 'temperror', domain: 'lame.example', policy: null })
    })

    for (const [name, from, result] of [
      ['authors of several domains', 'a@example.org, b@bare.example', 'permerror'],
      ['two From fields', 'a@example.org\r\nFrom: b@example.org', 'permerror'],
      ['no author', '', 'none'],
    ] as const) {
      it(`${name}: ${result}`, async () => {
        expect(await dmarcOf(text(from))).to.deep.equal({ result, domain: null, policy: null })
      })
    }
  })

  describe('of a hostile mail', () => {
    const fold = (length: number) => 'x\r\n '.repeat(length)
    const hostile: Record<string, string> = {
      'a header of a megabyte': `X-Long: ${'a'.repeat(2 ** 20)}\r\n${text()}`,
      'a header that never ends': 'X: y\r\n'.repeat(2 ** 18),
      'a field of 80,000 lines': `X-Long: ${fold(80_000)}\r\n${text()}`,
      '9,000 lines in a field': `X-Long: ${fold(9_000)}\r\n${text()}`,
      '60,000 fields': `${'X: y\r\n'.repeat(60_000)}${text()}`,
      'an author list of 250 kB': text(`${'a@b.example, '.repeat(19_000)}c@d.example`),
      'deep groups of authors': text(`${'a:'.repeat(7_000)}b@c.example${';'.repeat(7_000)}`),
      'a signature of all names': `DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h=${'from:'.repeat(40_000)}from; bh=AAAA; b=AAAA\r\n${text()}`,
      'ten signatures of many names': Array.from({ length: 10 }, () =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h=${'x:'.repeat(3_500)}from; bh=AAAA; b=AAAA\r\n`).join('') +
        'X: y\r\n'.repeat(1_900) + text(),
      '5,000 seals': Array.from({ length: 5_000 }, (_, i) => `ARC-Seal: i=${i}; a=rsa-sha256; d=example.org; s=s1; cv=none; b=AAAA\r\n`).join('') + text(),
      'a content type of 200 kB': `Content-Type: multipart/mixed; ${'x*0*=%41; '.repeat(20_000)}\r\n${text()}`,
      'Received fields of 200 kB': `Received: ${'from a (b) '.repeat(18_000)}\r\n${text()}`,
      'a Return-Path of 200 kB': `Return-Path: ${'<a@b'.repeat(50_000)}\r\n${text()}`,
      'no field at all': '\r\n\r\n',
      'nothing': '',
      'NULs': `DKIM-Signature: \0\0\r\nFrom: \0\r\n\r\n\0`,
      'colons': `${':\r\n'.repeat(5_000)}\r\n`,
    }
    for (const [name, source] of Object.entries(hostile)) {
      it(`${name}: ends in time, with results`, async function () {
        const results = await check(source, { sender: '' }, { sealKey: ours })
        expect(results).to.have.keys('spf', 'dkim', 'dmarc')
      })
    }

    it('a line of 10 MB under ten signatures: ends in time', async function () {
      const signature = (i: number) => `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1; l=${i}; h=from; bh=AAAA; b=AAAA\r\n`
      const source = Array.from({ length: 10 }, (_, i) => signature(i * 2 ** 19)).join('') + text(undefined, 'a '.repeat(5 * 2 ** 20))
      expect((await check(source, {}, { timeoutMs: 60_000 })).dkim).to.have.length(10)
    })

    it('is temperror after its timeout', async () => {
      const signed = await signWith(text(undefined, 'line\r\n'.repeat(2 ** 20)), rsa)
      expect(await check(signed, {}, { timeoutMs: 5 })).to.deep.equal(unchecked)
    })

    it('keeps the results that are known when the DNS does not answer for the others', async () => {
      const results = await check(await signWith(text('a@example.org'), rsa), { sender: 'a@silent.example' }, { timeoutMs: 2_000 })
      expect(results.dkim).to.deep.equal([{ result: 'pass', domain: 'example.org', selector: 's1' }])
      expect(results.spf).to.deep.equal({ result: 'temperror', domain: 'silent.example' })
    })
  })

  describe('ARC seal of a forwarded mail', () => {
    const sealWith = async (source: Buffer, sealKey: typeof ours, envelope = {}) => {
      const { arc } = await authenticate(source, envelope, { sealKey })
      return Buffer.concat([Buffer.from(`${arc}Received: from here\r\n`), source])
    }
    const arcOf = async (source: Buffer) => (await authenticateByMailauth(source, { resolver: resolver.lookup as never, ip: '203.0.113.5' })).arc as ARCResult

    for (const type of ['rsa', 'ed25519'] as const) {
      it(`makes a seal (${type}) that verifies, and a second one on top of it`, async () => {
        const key = newKey('hop.example', { type, selector: type })
        zone[key.name] = { TXT: [key.record] }
        const once = await sealWith(await signWith(text(), rsa), key)
        expect((await arcOf(once)).status.result).to.equal('pass')
        const twice = await sealWith(once, ours, { remoteAddress: '198.51.100.7' })
        const { i, status } = await arcOf(twice)
        expect({ i, result: status.result }).to.deep.equal({ i: 2, result: 'pass' })
        expect(twice.toString()).to.match(/^ARC-Seal: i=2; a=rsa-sha256; t=\d+; cv=pass;/)
      })
    }

    it('has the results in the seal', async () => {
      const { arc } = await authenticate(await signWith(text(), rsa), {}, { sealKey: ours })
      expect(arc!.match(/^ARC-[\w-]+/gm)).to.deep.equal(['ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results'])
      expect(arc!.replace(/\r\n\s+/g, ' ')).to.match(/ARC-Authentication-Results: i=1; mail\.localhost; dkim=pass .*; spf=pass .*; dmarc=pass .*\r\n$/)
    })

    it('makes no seal on top of a chain that is marked as broken', async () => {
      const source = `ARC-Seal: i=1; a=rsa-sha256; cv=fail; d=x.example; s=s; b=AAAA\r\n${text()}`
      expect((await authenticate(source, {}, { sealKey: ours })).arc).to.equal(null)
    })

    it('has no line that a sender wrote, against header injection', async () => {
      const { arc } = await authenticate(text('"a\tb" <c@d.example>'), {
        sender: '"a;\t dkim=pass"@example.org', helo: 'x; dmarc=pass',
      }, { sealKey: ours })
      const results = arc!.slice(arc!.indexOf('ARC-Authentication-Results')).replace(/\r\n\s+/g, ' ')
      expect(results.replace(/"(\\.|[^"])*"|\((\\.|[^)])*\)/g, '')).to.not.match(/dkim=pass|dmarc=pass/)
    })
  })

  describe('of a mail that was not received over the network', () => {
    it('has no results', async () => {
      expect(await authenticate(text(), { remoteAddress: '' })).to.deep.equal({ results: null, arc: null })
    })

    it('seals it nevertheless', async () => {
      const { results, arc } = await authenticate(text(), { remoteAddress: '' }, { sealKey: ours })
      expect(results).to.equal(null)
      expect(arc).to.match(/^ARC-Seal: i=1;/).and.to.include('spf=none').and.to.not.include('temperror')
    })
  })
})

async function* inPieces(source: Buffer) {
  for (let i = 0; i < source.length; i += 256 * 1024) yield source.subarray(i, i + 256 * 1024)
}
