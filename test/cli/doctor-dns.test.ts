import { expect } from 'chai'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Result } from '../../cli/doctor/diagnose.ts'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import type { DnsServer, DnsZone } from '../support/dns-server.ts'
import { openReceiver } from '../support/receiver.ts'
import { addDomainsTo } from '../support/store/database-files.ts'
import { mayfly } from './run.ts'
import { domain, goodZone, host, selector, useDoctorWorld } from './doctor-world.ts'

describe('CLI: doctor', function () {
  const { world, setZone, inPublic, complaints, finding } = useDoctorWorld()
  let folder: string
  let dns: DnsServer
  before(() => { ({ folder, dns } = world) })

  describe('in the DNS', () => {
    const other = createPublicKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
    const mxOnly = { MX: goodZone()[domain].MX }
    const cases: [string, DnsZone, [name: string, status: Result['status'], found: string, advice: string | RegExp][]][] = [
      ['a domain without MX', { [domain]: { TXT: ['v=spf1 ip4:192.0.2.25 ip6:2001:db8::25 -all'] } }, [
        ['mx', 'problem', `${domain} has no MX record, so mail does not come here`, `Set ${domain}. MX 10 ${host}.`],
      ]],
      ['an MX that is another host', { [domain]: { MX: [{ exchange: 'mx.example.net', priority: 5 }], TXT: ['v=spf1 ip4:192.0.2.25 ip6:2001:db8::25 -all'] } }, [
        ['mx', 'problem', `the MX of ${domain} does not name ${host}: 5 mx.example.net`, `Set ${domain}. MX 10 ${host}., or let MAYFLY_MX_HOST be the name of this host.`],
      ]],
      ['another host before this one', { [domain]: { ...goodZone()[domain], MX: [{ exchange: host, priority: 10 }, { exchange: 'mx.example.net', priority: 5 }] } }, [
        ['mx', 'warning', `mail for ${domain} also goes to others first: 10 ${host}, 5 mx.example.net`, `Give the MX of ${host} the lowest number.`],
      ]],
      ['a host without address', { [host]: 'NXDOMAIN' }, [
        ['mx-host', 'problem', `${host} has no address`, `Set an A or AAAA record for ${host} with the public address of this host.`],
        ['spf', 'warning', `v=spf1 mx -all: there is no address to compare, ${host} has none`, `Set an A or AAAA record for ${host}.`],
        ['ptr', 'warning', `${host} has no address to ask for`, `Set an A or AAAA record for ${host}.`],
      ]],
      ['no SPF', { [domain]: mxOnly }, [
        ['spf', 'problem', `${domain} has no SPF record`, `Set ${domain}. TXT "v=spf1 mx -all"`],
      ]],
      ['two SPF records', { [domain]: { ...mxOnly, TXT: ['v=spf1 mx -all', 'v=spf1 a -all'] } }, [
        ['spf', 'problem', `${domain} has 2 SPF records, which count as none: v=spf1 mx -all, v=spf1 a -all`, 'Leave one of them.'],
      ]],
      ['an SPF record that names others', { [domain]: { ...mxOnly, TXT: ['v=spf1 ip4:192.0.2.25 include:_spf.example.net ~all'] }, '_spf.example.net': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] } }, [
        ['spf', 'problem', 'v=spf1 ip4:192.0.2.25 include:_spf.example.net ~all does not let this server send: softfail for 2001:db8::25', `Set ${domain}. TXT "v=spf1 mx -all"`],
      ]],
      ['an SPF record whose include does not answer', { [domain]: { ...mxOnly, TXT: ['v=spf1 include:_spf.example.net -all'] }, '_spf.example.net': 'SERVFAIL' }, [
        ['spf', 'warning', 'What v=spf1 include:_spf.example.net -all names could not be asked. The DNS lookup of a name in it failed.', 'Run this again when the DNS answers.'],
      ]],
      ['no DKIM record', { [selector]: 'NXDOMAIN' }, [
        ['dkim', 'problem', `${selector} does not exist, so signatures cannot be checked`, new RegExp(`^Set ${selector}\\. TXT "v=DKIM1; k=rsa; p=[^"]{237}" "[^"]+"$`)],
      ]],
      ['the DKIM record of another key', { [selector]: { TXT: [`v=DKIM1; p=${other}`] } }, [
        ['dkim', 'problem', `${selector} shows another key than that of MAYFLY_DKIM_KEY`, /^Set /],
      ]],
      ['a DKIM key that is withdrawn', { [selector]: { TXT: ['v=DKIM1; p='] } }, [
        ['dkim', 'problem', `${selector} says that its key is withdrawn`, /^Set /],
      ]],
      ['no DMARC record', { [`_dmarc.${domain}`]: 'NXDOMAIN' }, [
        ['dmarc', 'warning', `${domain} has no DMARC record, and some hosts want one`, `Set _dmarc.${domain}. TXT "v=DMARC1; p=none"`],
      ]],
      ['an address without PTR', { '25.2.0.192.in-addr.arpa': 'NXDOMAIN' }, [
        ['ptr', 'problem', '192.0.2.25 has no PTR record', `Have the owner of 192.0.2.25, mostly the hoster, set its PTR record to ${host}`],
      ]],
      ['an address with the PTR of its hoster', { '25.2.0.192.in-addr.arpa': { PTR: ['static-25.example.net'] }, 'static-25.example.net': { A: ['192.0.2.25'] } }, [
        ['ptr', 'warning', `the PTR of 192.0.2.25 does not name ${host} but static-25.example.net`, /, or set MAYFLY_MX_HOST\.$/],
      ]],
      ['an address whose PTR does not lead back', { '25.2.0.192.in-addr.arpa': { PTR: ['static-25.example.net'] } }, [
        ['ptr', 'problem', 'the PTR of 192.0.2.25 names static-25.example.net, which does not lead back', /^Have the owner /],
      ]],
      ['a name server that fails for the domain', { [domain]: 'SERVFAIL' }, [
        ['mx', 'warning', `The MX of ${domain} could not be asked. The DNS lookup of ${domain} failed: the server failed`, 'Run this again when the DNS answers.'],
        ['spf', 'warning', `The SPF record of ${domain} could not be asked. The DNS lookup of ${domain} failed: the server failed`, 'Run this again when the DNS answers.'],
      ]],
      ['a name server that refuses', { [domain]: 'REFUSED' }, [
        ['dns', 'problem', 'SERVERS refused the question', 'Set MAYFLY_DNS_SERVERS to name servers that answer this host.'],
        ['mx', 'warning', `The MX of ${domain} could not be asked. The DNS lookup of ${domain} failed: the server refused the question`, /./],
        ['spf', 'warning', `The SPF record of ${domain} could not be asked. The DNS lookup of ${domain} failed: the server refused the question`, /./],
      ]],
    ]
    for (const [what, change, expected] of cases) {
      it(`finds ${what}`, async () => {
        setZone({ ...goodZone(), ...change })
        const found = await complaints(inPublic())
        expect(found.map(({ name, status, found }) => [name, status, found])).to.deep.equal(
          expected.map(([name, status, found]) => [name, status, found.replace('SERVERS', dns.servers)]))
        for (const [index, [, , , advice]] of expected.entries()) {
          if (typeof advice === 'string') expect(found[index]!.advice).to.equal(advice)
          else expect(found[index]!.advice).to.match(advice)
        }
      })
    }

    it('accepts the record that it recommended', async () => {
      setZone({ ...goodZone(), [selector]: 'NXDOMAIN' })
      const { advice } = await finding('dkim', inPublic())
      const strings = [...advice!.matchAll(/"([^"]+)"/g)].map(([, text]) => text!)
      setZone({ ...goodZone(), [selector]: { TXT: [strings] } })
      expect(await finding('dkim', inPublic())).to.include({ status: 'ok', found: `${selector} shows the key of MAYFLY_DKIM_KEY` })
    })

    it('accepts an Ed25519 key and another selector', async () => {
      const pair = generateKeyPairSync('ed25519')
      const file = join(folder, 'ed25519.pem')
      await writeFile(file, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const raw = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
      dns.zone[`two._domainkey.${domain}`] = { TXT: [`v=DKIM1; k=ed25519; p=${raw}`] }
      const variables = { ...inPublic(), MAYFLY_DKIM_KEY: file, MAYFLY_DKIM_SELECTOR: 'two' }
      expect(await complaints(variables)).to.deep.equal([])
    })

    it('only warns of problems with outgoing mail in capture mode, and of a missing key', async () => {
      setZone({ ...goodZone(), [domain]: mxOnly, [selector]: 'NXDOMAIN', '25.2.0.192.in-addr.arpa': 'NXDOMAIN' })
      const found = await complaints({ ...inPublic(), MAYFLY_OUTBOUND: 'capture' })
      expect(found.map(({ name, status }) => [name, status])).to.deep.equal([['spf', 'warning'], ['dkim', 'warning'], ['ptr', 'warning']])
      expect(await finding('dkim', { ...inPublic(), MAYFLY_DKIM_KEY: '' })).to.include({ status: 'warning', found: 'no MAYFLY_DKIM_KEY, so mail is not signed' })
        .and.have.property('advice').match(/"openssl genrsa -out dkim\.pem 2048"/)
    })

    it('accepts the DMARC record of the organizational domain, and skips PTR and SPF with a smart host', async () => {
      await using receiver = await openReceiver()
      setZone({ ...goodZone(), [`_dmarc.${domain}`]: 'NXDOMAIN', '_dmarc.example.org': { TXT: ['v=DMARC1; p=none'] }, '25.2.0.192.in-addr.arpa': 'NXDOMAIN' })
      expect(await complaints({ ...inPublic(), MAYFLY_OUTBOUND: `smtp://127.0.0.1:${receiver.port}` })).to.deep.equal([])
    })

    it('reports a silent DNS in time as unreachable, and no record as missing', async () => {
      setZone(Object.fromEntries(Object.keys(goodZone()).map((name) => [name, 'silent'])))
      const start = performance.now()
      const { code, stdout } = await mayfly(['doctor', '--json'], inPublic())
      expect(performance.now() - start).to.be.lessThan(60_000)
      expect(code).to.equal(1)
      const { checks } = JSON.parse(stdout) as { checks: Result[] }
      expect(checks.find(({ name }) => name === 'dns')).to.include({ status: 'problem', found: `${dns.servers} did not answer in time` })
      const others = checks.filter(({ name }) => ['base-url', 'mx', 'mx-host', 'spf', 'dkim', 'dmarc', 'ptr'].includes(name))
      expect(others).to.have.length(7)
      for (const { name, status, found } of others) {
        expect(status, name).to.equal('warning')
        expect(found, name).to.match(/ could not be asked\. The DNS lookup of \S+ failed: no answer in time$/)
      }
    })

    it('checks the custom domains of accounts', async () => {
      const file = join(folder, 'domains.db')
      const variables = { ...inPublic(), MAYFLY_DATABASE: file }
      expect((await mayfly(['account', 'create', '--email', 'ada@example.org', '--plan', 'business'], variables)).code).to.equal(0)
      const names = [['right', 'verified'], ['wrong', 'verified'], ['silent', 'verified'], ['pending', 'pending']] as const
      addDomainsTo(file, names.map(([name, status]) => ({ name, domain: `${name}.example.com`, status })))
      dns.zone['right.example.com'] = { MX: [{ exchange: host, priority: 1 }], TXT: ['mayfly-verify=token-right'] }
      dns.zone['wrong.example.com'] = { MX: [{ exchange: 'mx.example.net', priority: 1 }], TXT: ['mayfly-verify=token-right'] }
      dns.zone['silent.example.com'] = 'SERVFAIL'
      const results = (await diagnose(variables)).filter(({ name }) => name === 'custom-domains')
      const failed = 'The DNS lookup of silent.example.com failed: the server failed'
      expect(results.map(({ status, found, advice }) => [status, found, advice])).to.deep.equal([
        ['warning', `The MX of silent.example.com could not be asked. ${failed}`, 'Run this again when the DNS answers.'],
        ['warning', `The TXT records of silent.example.com could not be asked. ${failed}`, 'Run this again when the DNS answers.'],
        ['warning', `the MX of wrong.example.com does not name ${host}, so its mail does not come here`, `Have its owner set wrong.example.com. MX 10 ${host}.`],
        ['warning', 'wrong.example.com has lost the TXT record that proves whose it is', 'Have its owner set wrong.example.com. TXT "mayfly-verify=token-wrong"'],
        ['ok', '3 of 3 verified domains were asked about, the others are right', null],
      ])
    })
  })
})
