import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import type { Resolver } from '../../server/outbound/dns.ts'
import { openMtaSts } from '../../server/outbound/mta-sts.ts'
import type { MtaSts } from '../../server/outbound/mta-sts.ts'
import { sendMail } from '../../server/outbound/send-mail.ts'
import { newPair } from '../support/certificates.ts'
import type { TestPair } from '../support/certificates.ts'
import type { DnsZone } from '../support/dns-server.ts'
import { openPolicyServer, policyText, trust, withText } from '../support/policy-server.ts'
import type { PolicyServer } from '../support/policy-server.ts'
import { openReceiver } from '../support/receiver.ts'
import type { ReceiverOptions } from '../support/receiver.ts'
import { here, options, outgoing, useSendWorld } from './send-world.ts'

describe('MTA-STS: policies of other domains', () => {
  const { world, direct } = useSendWorld()
  let pair: TestPair
  let distrust: () => void
  let server: PolicyServer
  /** Asks again each time. */
  let resolver: Resolver
  let mtaStsPolicies: MtaSts
  before(async () => {
    pair = await newPair(Date.now(), ['mta-sts.example.org', 'mx.example.org'])
    distrust = trust(pair)
  })
  after(() => distrust())
  beforeEach(async () => {
    server = await openPolicyServer(pair)
    server.answer = withText(policyText('enforce', 'mx.example.org'))
    world.dns.zone['mta-sts.example.org'] = { A: [here] }
    world.dns.zone['_mta-sts.example.org'] = { TXT: ['v=STSv1; id=1;'] }
    resolver = openResolver([world.dns.servers], { lifetimeMs: 0 })
    mtaStsPolicies = openMtaSts({ resolver, allowPrivate: true, port: server.port, timeoutMs: 1_000 })
  })
  afterEach(async () => {
    resolver.close()
    await server[Symbol.asyncDispose]()
  })

  const setRecord = (...records: string[]) => { world.dns.zone['_mta-sts.example.org'] = { TXT: records } }
  const exchangers = (...hosts: string[]) => {
    world.dns.zone['example.org'] = { MX: hosts.map((exchange, priority) => ({ exchange, priority })), A: [here] }
    for (const host of hosts) world.dns.zone[host] ??= { A: [here] }
  }
  const policy = () => mtaStsPolicies.policyOf('example.org', new AbortController().signal)
  async function send(tls: ReceiverOptions['tls']) {
    await using receiver = await openReceiver({ tls })
    const outcome = await sendMail({ ...direct(receiver.port), mtaStsPolicies }, outgoing(), options)
    return { outcome, mails: receiver.mails.map(({ tls }) => tls) }
  }

  describe('with enforce', () => {
    it('sends over TLS to a host that the policy names, with a valid certificate', async () => {
      const { outcome, mails } = await send(pair)
      expect(outcome).to.include({ kind: 'sent', host: 'mx.example.org' })
      expect(mails).to.deep.equal([true])
      expect(server.requests).to.deep.equal(['mta-sts.example.org/.well-known/mta-sts.txt'])
    })

    it('keeps the mail from a host without TLS, with a certificate that is not valid, or for another name', async () => {
      for (const [tls, reason] of [
        [false, /^mx\.example\.org does not offer TLS/],
        [true, /^No TLS with mx\.example\.org: its certificate is not good \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/],
        [await newPair(Date.now(), ['other.example.org']), /^No TLS with mx\.example\.org: /],
      ] as const) {
        const { outcome, mails } = await send(tls)
        expect(outcome.kind).to.equal('deferred')
        expect((outcome as { reason: string }).reason).to.match(reason)
        expect(mails).to.deep.equal([])
      }
    })

    it('keeps it from a host that the policy does not name', async () => {
      exchangers('mx.evil.example')
      const { outcome, mails } = await send(pair)
      expect(outcome).to.deep.equal({
        kind: 'deferred', reason: 'The MTA-STS policy of example.org does not allow its mail server mx.evil.example',
      })
      expect(mails).to.deep.equal([])
    })

    it('uses the next host after one that the policy does not name', async () => {
      exchangers('mx.evil.example', 'mx.example.org')
      expect((await send(pair)).outcome).to.include({ kind: 'sent', host: 'mx.example.org' })
    })

    it('lets a star stand for one label', async () => {
      server.answer = withText(policyText('enforce', '*.example.org'))
      exchangers('a.mx.example.org', 'example.org', 'mx.example.org')
      expect((await send(pair)).outcome).to.include({ kind: 'sent', host: 'mx.example.org' })
    })
  })

  for (const mode of ['testing', 'none']) {
    it(`sends as without a policy, with ${mode}`, async () => {
      server.answer = withText(policyText(mode, 'other.example.org'))
      for (const tls of [false, true]) expect((await send(tls)).mails).to.deep.equal([tls])
    })
  }

  it('fetches a policy once, and again when its id changes', async () => {
    const first = await Promise.all([policy(), policy()])
    expect(first).to.deep.equal(Array(2).fill({ mode: 'enforce', mx: ['mx.example.org'], maxAgeSeconds: 86_400 }))
    expect(server.requests).to.have.length(1)
    server.answer = withText(policyText('testing', '*.example.org'))
    expect((await policy())?.mode).to.equal('enforce')
    setRecord('v=STSv1; id=2')
    expect(await policy()).to.deep.equal({ mode: 'testing', mx: ['*.example.org'], maxAgeSeconds: 86_400 })
    expect(server.requests).to.have.length(2)
  })

  it('keeps a policy when the record disappears, the DNS fails, or the next one cannot be fetched', async () => {
    await policy()
    server.answer = withText('', 'text/plain', 500)
    for (const records of ['NXDOMAIN', 'SERVFAIL', { TXT: ['v=STSv1; id=2'] }, { TXT: ['v=STSv1; id=2'] }] as const) {
      world.dns.zone['_mta-sts.example.org'] = records as DnsZone[string]
      expect((await policy())?.mode).to.equal('enforce')
    }
    expect(server.requests, 'the failed one was asked for once').to.have.length(2)
  })

  it('keeps a policy no longer than its max_age', async () => {
    server.answer = withText(policyText('enforce', 'mx.example.org').replace('86400', '0'))
    for (const count of [1, 2]) {
      expect((await policy())?.mode).to.equal('enforce')
      expect(server.requests).to.have.length(count)
    }
  })

  it('asks for none without one valid record', async () => {
    for (const records of [[], ['v=spf1 -all'], ['v=STSv1; id=1', 'v=STSv1; id=2'], ['v=STSv1; id=not-valid'], ['v=STSv1']]) {
      setRecord(...records)
      expect(await policy(), records.join()).to.equal(undefined)
    }
    expect(server.requests).to.deep.equal([])
  })

  for (const [what, answer] of [
    ['a redirect', withText('', 'text/plain', 301)],
    ['HTML', withText(policyText('enforce', 'mx.example.org'), 'text/html')],
    ['another version', withText(policyText('enforce', 'mx.example.org').replace('STSv1', 'STSv2'))],
    ['no MX', withText('version: STSv1\nmode: enforce\nmax_age: 1\n')],
    ['an unknown mode', withText(policyText('force', 'mx.example.org'))],
    ['no max_age', withText('version: STSv1\nmode: enforce\nmx: a.example\n')],
    ['more than 64 kB', withText(policyText('enforce', 'mx.example.org', 'x: y\n'.repeat(20_000)))],
    ['no answer', () => {}],
  ] as const) {
    it(`has no policy from ${what}, and mail is sent`, async () => {
      server.answer = answer
      expect((await send(true)).mails).to.deep.equal([true])
      expect(server.requests).to.have.length(1)
    })
  }

  it('reads LF, unknown fields, and the first of several', async () => {
    server.answer = withText('version: STSv1\nmode: testing\nmode: enforce\nfuture: x\nmx: MX.Example.org\nmx:  *.example.net \nmax_age: 99999999\n\n')
    expect(await policy()).to.deep.equal({ mode: 'testing', mx: ['mx.example.org', '*.example.net'], maxAgeSeconds: 31_557_600 })
  })

  it('fetches none from a certificate for another name, nor from a private address', async () => {
    await using other = await openPolicyServer(await newPair(Date.now(), ['mta-sts.example.org']))
    other.answer = withText(policyText('enforce', 'mx.example.org'))
    const signal = new AbortController().signal
    const untrusted = openMtaSts({ resolver, allowPrivate: true, port: other.port })
    expect(await untrusted.policyOf('example.org', signal)).to.equal(undefined)
    const careful = openMtaSts({ resolver, allowPrivate: false, port: server.port })
    expect(await careful.policyOf('example.org', signal)).to.equal(undefined)
    expect([...other.requests, ...server.requests]).to.deep.equal([])
  })
})
