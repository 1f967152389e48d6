import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import type { ResolverOptions } from '../../server/outbound/dns.ts'
import { useResolver } from './resolver.ts'

const slow: ResolverOptions = { timeoutMs: 2000, tries: 2 }
const fast: ResolverOptions = { timeoutMs: 10, tries: 1 }

describe('DNS resolver', () => {
  const world = useResolver(slow)

  it('finds TXT records of any length, with their strings joined', async () => {
    const key = `v=DKIM1; p=${'A'.repeat(700)}`
    const many = Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(200)}`)
    world.dns.zone['example.org'] = { TXT: ['one', ['two', 'three'], key] }
    world.dns.zone['many.example.org'] = { TXT: many }
    expect(await world.resolver.txt('example.org')).to.deep.equal({ kind: 'found', records: ['one', 'twothree', key] })
    expect(await world.resolver.txt('many.example.org'), 'more than fits a datagram').to.deep.equal({ kind: 'found', records: many })
  })

  it('finds MX records, the null MX too', async () => {
    world.dns.zone['example.org'] = { MX: [{ exchange: 'mx.example.org', priority: 10 }] }
    world.dns.zone['null.example.org'] = { MX: [{ exchange: '.', priority: 0 }] }
    expect(await world.resolver.mx('example.org')).to.deep.equal({ kind: 'found', records: [{ exchange: 'mx.example.org', priority: 10 }] })
    expect(await world.resolver.mx('null.example.org')).to.deep.equal({ kind: 'found', records: [{ exchange: '', priority: 0 }] })
  })

  it('finds addresses of both families', async () => {
    world.dns.zone['both.example'] = { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] }
    world.dns.zone['six.example'] = { AAAA: ['2001:db8::6'] }
    world.dns.zone['alias.example'] = { CNAME: ['six.example'] }
    expect(await world.resolver.addresses('both.example')).to.deep.equal({ kind: 'found', records: ['192.0.2.1', '192.0.2.2', '2001:db8::1'] })
    expect(await world.resolver.addresses('six.example')).to.deep.equal({ kind: 'found', records: ['2001:db8::6'] })
    expect(await world.resolver.addresses('alias.example')).to.deep.equal({ kind: 'found', records: ['2001:db8::6'] })
  })

  it('finds the names of an address', async () => {
    world.dns.zone['9.2.0.192.in-addr.arpa'] = { PTR: ['mail.example.org'] }
    world.dns.zone[`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`] = { PTR: ['six.example.org'] }
    for (const [ip, name] of [['192.0.2.9', 'mail'], ['::ffff:192.0.2.9', 'mail'], ['2001:db8::1', 'six']] as const) {
      expect(await world.resolver.ptr(ip), ip).to.deep.equal({ kind: 'found', records: [`${name}.example.org`] })
    }
    for (const ip of ['192.0.2.8', '::', 'fe80::1%lo', 'nonsense', '']) expect(await world.resolver.ptr(ip), ip).to.deep.equal({ kind: 'none' })
  })

  it('returns none when the name does not exist or has no such record', async () => {
    world.dns.zone['example.org'] = { A: ['192.0.2.1'] }
    world.dns.zone['gone.example'] = 'NXDOMAIN'
    for (const name of ['example.org', 'gone.example', 'nowhere.example']) {
      expect(await world.resolver.txt(name), name).to.deep.equal({ kind: 'none' })
      expect(await world.resolver.mx(name), name).to.deep.equal({ kind: 'none' })
    }
    expect(await world.resolver.addresses('gone.example')).to.deep.equal({ kind: 'none' })
  })

  it('returns unknown with a reason when the DNS does not answer', async () => {
    Object.assign(world.dns.zone, { 'dead.example': 'SERVFAIL', 'closed.example': 'REFUSED', 'silent.example': 'silent' })
    const reasons = { dead: 'the server failed', closed: 'the server refused the question', silent: 'no answer in time' }
    for (const [name, why] of Object.entries(reasons)) {
      const unknown = { kind: 'unknown', reason: `The DNS lookup of ${name}.example failed: ${why}` }
      if (name === 'silent') world.resolver = openResolver([world.dns.servers], fast)
      expect(await world.resolver.txt(`${name}.example`)).to.deep.equal(unknown)
      expect(await world.resolver.addresses(`${name}.example`)).to.deep.equal(unknown)
    }
  })

  it('sends no query for a malformed name', async () => {
    const names = ['', '.', '..', 'a..b', '.a', `${'a'.repeat(64)}.org`, `${'a'.repeat(63)}.`.repeat(4), 'a b.org', 'a\0.org', 'a\\.org',
      'a\r\n.org', '\ud800.org', '\u{ad}', 'ｅxample.org', 'exam\u{ad}ple.org', 'example。org', 'bücher.example/x']
    for (const name of names) {
      expect(await world.resolver.mx(name), JSON.stringify(name)).to.deep.equal({ kind: 'none' })
      expect(await codeOf(world.resolver.lookup(name, 'TXT'))).to.equal('EBADNAME')
    }
    expect(world.dns.questions).to.deep.equal([])
  })

  it('treats A-labels, upper case and a final dot as spellings of one name', async () => {
    world.dns.zone['_dmarc.xn--exmple-cua.org'] = { TXT: ['v=DMARC1'] }
    for (const name of ['_dmarc.exämple.org', '_DMARC.XN--exmple-cua.ORG', '_dmarc.xn--exmple-cua.org.']) {
      expect(await world.resolver.txt(name), name).to.deep.equal({ kind: 'found', records: ['v=DMARC1'] })
    }
    expect(world.dns.questions).to.have.length(1)
  })

  it('looks up as dns.resolve does', async () => {
    Object.assign(world.dns.zone, {
      'example.org': { A: ['192.0.2.1'], TXT: [['a', 'b']], MX: [{ exchange: 'mx.example.org', priority: 1 }] },
      '1.2.0.192.in-addr.arpa': { PTR: ['example.org'] },
      'dead.example': 'SERVFAIL', 'closed.example': 'REFUSED', 'silent.example': 'silent',
    })
    expect(await world.resolver.lookup('example.org', 'A')).to.deep.equal(['192.0.2.1'])
    expect(await world.resolver.lookup('example.org', 'TXT')).to.deep.equal([['a', 'b']])
    expect(await world.resolver.lookup('example.org', 'MX')).to.containSubset([{ exchange: 'mx.example.org', priority: 1 }])
    expect(await world.resolver.lookup('1.2.0.192.in-addr.arpa', 'PTR')).to.deep.equal(['example.org'])
    for (const [name, code] of [
      ['nowhere.example', 'ENOTFOUND'], ['example.org', 'ENODATA'], ['dead.example', 'ESERVFAIL'],
      ['closed.example', 'EREFUSED'], ['silent.example', 'ETIMEOUT'],
    ] as const) {
      if (name === 'silent.example') world.resolver = openResolver([world.dns.servers], fast)
      expect(await codeOf(world.resolver.lookup(name, 'AAAA')), name).to.equal(code)
    }
  })

  it('sends no second query for a cached answer, nor for one under way', async () => {
    world.dns.zone['example.org'] = { TXT: [['a', 'b']] }
    const [first] = await Promise.all([world.resolver.lookup('example.org', 'TXT'), world.resolver.txt('example.org'), world.resolver.txt('Example.org')])
    ;(first as string[][])[0]!.push('changed by who was given it')
    expect(await world.resolver.txt('example.org')).to.deep.equal({ kind: 'found', records: ['ab'] })
    await world.resolver.mx('example.org')
    await world.resolver.mx('example.org')
    expect(world.dns.questions.map(({ type }) => type)).to.deep.equal(['TXT', 'MX'])
  })

  it('queries again after a failure, and when a cached answer has expired', async () => {
    world.resolver = openResolver([world.dns.servers], { ...slow, lifetimeMs: 0 })
    world.dns.zone['example.org'] = { TXT: ['old'] }
    await world.resolver.txt('example.org')
    world.dns.zone['example.org'] = { TXT: ['new'] }
    expect(await world.resolver.txt('example.org')).to.deep.equal({ kind: 'found', records: ['new'] })

    world.resolver = openResolver([world.dns.servers], slow)
    world.dns.zone['shaky.example'] = 'SERVFAIL'
    expect((await world.resolver.txt('shaky.example')).kind).to.equal('unknown')
    world.dns.zone['shaky.example'] = { TXT: ['back'] }
    expect(await world.resolver.txt('shaky.example')).to.deep.equal({ kind: 'found', records: ['back'] })
  })

  it('caches only the latest answers, up to its limit', async () => {
    world.resolver = openResolver([world.dns.servers], { ...slow, maxAnswers: 2 })
    for (const name of ['a.example', 'b.example', 'c.example', 'c.example', 'b.example', 'a.example']) await world.resolver.txt(name)
    expect(world.dns.questions.map(({ name }) => name[0]).join('')).to.equal('abca')
  })

  it('ends the queries under way when it is closed', async () => {
    world.dns.zone['silent.example'] = 'silent'
    world.resolver = openResolver([world.dns.servers], { timeoutMs: 60_000 })
    const waiting = world.resolver.txt('silent.example')
    while (world.dns.questions.length === 0) await new Promise(setImmediate)
    world.resolver.close()
    const cancelled = { kind: 'unknown', reason: 'The DNS lookup of silent.example failed: the question was cancelled' }
    expect(await waiting).to.deep.equal(cancelled)
    expect(await world.resolver.txt('silent.example')).to.deep.equal(cancelled)
  })
})

const codeOf = (promise: Promise<unknown>) => promise.then(() => 'no error', ({ code }: NodeJS.ErrnoException) => code)
