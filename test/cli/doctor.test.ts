import { expect } from 'chai'
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Result } from '../../cli/doctor/diagnose.ts'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import { freePort, openDnsServer } from '../support/dns-server.ts'
import type { DnsRecords, DnsServer, DnsZone } from '../support/dns-server.ts'
import { openHangingServer, openReceiver } from '../support/receiver.ts'
import { addDomainsTo, createNewerDatabase } from '../support/store/database-files.ts'
import { openHostileServer } from '../sdk/hostile-server.ts'
import { mayfly, serve } from './run.ts'
import type { Variables } from './run.ts'

const domain = 'burrow.example.org'
const host = 'mx.burrow.example.org'
const selector = `mayfly._domainkey.${domain}`
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

/** A certificate for the host, valid from 2020 to 2120. */
const pem = (name: string) => fileURLToPath(new URL(`certificate/${name}.pem`, import.meta.url))

/** Correct records. */
const goodZone = () => ({
  [domain]: { MX: [{ exchange: host, priority: 10 }], TXT: ['v=spf1 mx -all', 'something else'] },
  [host]: { A: ['192.0.2.25'], AAAA: ['2001:db8::25'] },
  [selector]: { TXT: [`v=DKIM1; k=rsa; p=${spki}`] },
  [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
  '25.2.0.192.in-addr.arpa': { PTR: [host] },
  [`5.2${'.0'.repeat(22)}.8.b.d.0.1.0.0.2.ip6.arpa`]: { PTR: [host] },
  'api.burrow.example.org': { A: ['192.0.2.80'] },
}) satisfies Record<string, DnsRecords>

describe('CLI: doctor', function () {
  this.timeout(30_000)
  let folder: string
  let dns: DnsServer
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
    dns = await openDnsServer()
    await writeFile(join(folder, 'dkim.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  })
  after(async () => {
    await dns[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => setZone(goodZone()))

  function setZone(zone: DnsZone) {
    for (const name of Object.keys(dns.zone)) delete dns.zone[name]
    Object.assign(dns.zone, zone)
  }
  const local = (): Variables => ({
    MAYFLY_DATABASE: join(folder, 'new', 'mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0',
  })
  /** A correctly configured server on the internet. */
  const inPublic = (): Variables => ({
    ...local(),
    MAYFLY_TLS_CERT: pem('cert'),
    MAYFLY_TLS_KEY: pem('key'),
    MAYFLY_SMTP_HOST: '0.0.0.0',
    MAYFLY_DEFAULT_DOMAIN: domain,
    MAYFLY_MX_HOST: host,
    MAYFLY_BASE_URL: 'https://api.burrow.example.org',
    MAYFLY_OUTBOUND: 'direct',
    MAYFLY_DKIM_KEY: join(folder, 'dkim.pem'),
    MAYFLY_DNS_SERVERS: dns.servers,
  })
  /** The findings with problems or warnings. */
  async function complaints(variables: Variables): Promise<Result[]> {
    return (await diagnose(variables)).filter(({ status }) => status !== 'ok')
  }
  async function finding(name: string, variables: Variables, now?: number): Promise<Result> {
    const found = (await diagnose(variables, now)).filter((result) => result.name === name)
    expect(found).to.have.length(1)
    return found[0]!
  }

  describe('as a command', () => {
    it('reports no problem of a correct server, in a fixed order, and changes nothing', async () => {
      const { code, stdout, stderr } = await mayfly(['doctor', '--json'], inPublic())
      expect(stderr).to.equal('')
      expect(stdout).to.match(/^[^\n]+\n$/)
      const { ok, checks } = JSON.parse(stdout) as { ok: boolean, checks: Result[] }
      expect(checks.filter(({ status }) => status !== 'ok')).to.deep.equal([])
      expect([code, ok]).to.deep.equal([0, true])
      expect(checks.map(({ name }) => name)).to.deep.equal([
        'variables', 'node', 'defaults', 'database', 'disk', 'http-port', 'smtp-port', 'tls', 'base-url', 'outbound', 'dns', 'mx', 'mx-host', 'spf', 'dkim', 'dmarc', 'ptr', 'ptr',
      ])
      expect(checks.find(({ name }) => name === 'spf')).to.deep.equal({
        name: 'spf', status: 'ok', found: 'v=spf1 mx -all lets 192.0.2.25, 2001:db8::25 send', advice: null,
      })
      expect(await readdir(folder)).to.not.include('new')
    })

    it('prints a line for each check with the remedy below it, and exits with 1 for a problem', async () => {
      delete dns.zone[domain]
      const { code, stdout, stderr } = await mayfly(['doctor'], inPublic())
      expect([code, stderr]).to.deep.equal([1, ''])
      expect(stdout).to.match(/^ok {7}variables +MAYFLY_BASE_URL, .* can be used\n/)
      expect(stdout).to.match(/\nproblem {2}mx +burrow\.example\.org has no MX record, so mail does not come here\n +→ Set burrow\.example\.org\. MX 10 mx\.burrow\.example\.org\.\n/)
      expect(stdout).to.match(/\nproblem {2}spf +burrow\.example\.org has no SPF record\n +→ Set burrow\.example\.org\. TXT "v=spf1 mx -all"\n/)
      expect(stdout).to.match(/\n2 problems, 0 warnings\n$/)
    })

    it('sends no DNS queries for a local domain', async () => {
      const before = dns.questions.length
      const { code, stdout } = await mayfly(['doctor', '--json'], { ...local(), MAYFLY_DNS_SERVERS: dns.servers, MAYFLY_DEFAULT_DOMAIN: 'mail.test' })
      const { ok, checks } = JSON.parse(stdout) as { ok: boolean, checks: Result[] }
      expect([code, ok, checks.map(({ name }) => name)]).to.deep.equal([
        0, true, ['variables', 'node', 'defaults', 'database', 'disk', 'http-port', 'smtp-port', 'tls', 'base-url', 'outbound'],
      ])
      expect(dns.questions.length).to.equal(before)
    })

    it('recognizes a running server on its database and its ports', async () => {
      await using served = await serve({ ...local(), MAYFLY_LOG_LEVEL: 'silent' })
      const [, http, smtp] = /http=http:\/\/127\.0\.0\.1:(\d+) smtp=127\.0\.0\.1:(\d+)/.exec(served.lines.at(-1)!)!
      const variables = { ...local(), MAYFLY_HTTP_PORT: http!, MAYFLY_SMTP_PORT: smtp! }
      const { code, stdout } = await mayfly(['doctor'], variables)
      expect(code).to.equal(0)
      expect(stdout).to.match(/\nok {7}database +\S+ can be opened, a server runs on it\n/)
      expect(stdout).to.include(`127.0.0.1:${http}, this service listens there\n`).and.include(`127.0.0.1:${smtp}, this service listens there\n`)
      // without the server's variables
      const elsewhere = await complaints({ ...variables, MAYFLY_HTTP_PORT: String(await freePort()), MAYFLY_SMTP_PORT: '0' })
      expect(elsewhere.map(({ name, status, found }) => [name, status, found.replace(/:\d+/, '')])).to.deep.equal([
        ['http-port', 'warning', '127.0.0.1 is free, but a server runs on this database: it listens elsewhere'],
      ])
      // an SMTP server at the HTTP port, and an HTTP server at the SMTP port
      const crossed = await complaints({ ...local(), MAYFLY_HTTP_PORT: smtp!, MAYFLY_SMTP_PORT: http! })
      expect(crossed.map(({ name, status, found }) => [name, status, found])).to.deep.equal([
        ['http-port', 'problem', `127.0.0.1:${smtp} is taken by another program`],
        ['smtp-port', 'problem', `127.0.0.1:${http} is taken by another program`],
      ])
      expect((await served.stop()).code).to.equal(0)
      expect((await finding('database', variables)).found).to.match(/ can be opened, no server runs on it$/)
    })
  })

  describe('on this machine', () => {
    it('names every invalid variable, and an unknown one', async () => {
      const { code, stdout } = await mayfly(['doctor', '--json'], { MAYFLY_HTTP_PORT: 'http', MAYFLY_RATE_LIMIT: '-1', MAYFLY_OUTBOUND: 'smtp:secret', MAYFLY_SMPT_PORT: '1' })
      const { ok, checks } = JSON.parse(stdout) as { ok: boolean, checks: Result[] }
      expect([code, ok]).to.deep.equal([1, false])
      expect(stdout).to.not.include('secret')
      expect(checks.map(({ name, status, found }) => [name, status, found])).to.deep.equal([
        ['variables', 'problem', 'MAYFLY_HTTP_PORT: "http" is not a whole number from 0 to 65535'],
        ['variables', 'problem', 'MAYFLY_OUTBOUND: takes capture, direct, or smtp://user:password@host:port'],
        ['variables', 'problem', 'MAYFLY_RATE_LIMIT: "-1" is not a whole number from 0 to 1000000000'],
        ['variables', 'warning', 'MAYFLY_SMPT_PORT is not a variable of Mayfly'],
        ['node', 'ok', `Node ${process.version}`],
      ])
    })

    it('reports which values are defaults, and that no variable is set', async () => {
      const { MAYFLY_DATABASE: database = '' } = local()
      const found = async (variables: Variables) => (await diagnose(variables)).filter(({ name }) => ['variables', 'defaults'].includes(name))
      const [variables, defaults] = await found({ MAYFLY_DATABASE: database, MAYFLY_HTTP_PORT: '3001', MAYFLY_DEFAULT_DOMAIN: 'mail.test', MAYFLY_SMTP_HOST: ' ' })
      expect(variables!.found).to.equal('MAYFLY_DATABASE, MAYFLY_DEFAULT_DOMAIN, MAYFLY_HTTP_PORT, MAYFLY_SMTP_HOST can be used')
      expect(defaults).to.include({ status: 'ok', advice: null })
      expect(defaults!.found).to.include('MAYFLY_HTTP_HOST=127.0.0.1, MAYFLY_SMTP_HOST=127.0.0.1, MAYFLY_SMTP_PORT=2525')
        .and.include('MAYFLY_BASE_URL=http://localhost:3001').and.include('MAYFLY_MX_HOST=mail.test').and.include('MAYFLY_OUTBOUND=capture')
        .and.not.match(/MAYFLY_(DATABASE|HTTP_PORT|DEFAULT_DOMAIN|TLS_CERT)=/)
      const { stdout } = await mayfly(['doctor'], {})
      expect(stdout).to.match(/^ok {7}variables +none is set: these are the defaults, for this machine alone\. For a server that was started with variables, set the same ones here/)
      expect(stdout).to.match(/\nok {7}defaults +MAYFLY_HTTP_PORT=3000, MAYFLY_DEFAULT_DOMAIN=mail\.localhost, /)
    })

    it('reports a file that is not a database, and a database of a newer version', async () => {
      const [text, newer] = [join(folder, 'text.db'), join(folder, 'newer.db')]
      await writeFile(text, 'no database at all, but long enough to be looked at as one'.repeat(20))
      expect(await complaints({ ...local(), MAYFLY_DATABASE: text })).to.have.nested.property('[0].found', `${text} cannot be opened: file is not a database`)
      createNewerDatabase(newer)
      expect(await complaints({ ...local(), MAYFLY_DATABASE: newer })).to.deep.equal([
        { name: 'database', status: 'problem', found: `${newer} was written by a newer Mayfly (it has 9999-future)`, advice: 'Start that version.' },
      ])
    })

    it('reports a disk with too little free space', async () => {
      const [low] = await complaints({ ...local(), MAYFLY_MIN_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) })
      expect(low).to.include({ name: 'disk', status: 'problem', advice: 'Make room, or lower MAYFLY_MIN_FREE_BYTES.' })
      expect(low!.found).to.match(/ free in \S+, MAYFLY_MIN_FREE_BYTES is 9 PB: mail is answered 452$/)
    })

    it('reports a port that another program uses, also a silent one', async () => {
      await using receiver = await openReceiver()
      await using silent = await openHangingServer()
      const found = await complaints({ ...local(), MAYFLY_HTTP_PORT: String(silent.port), MAYFLY_SMTP_PORT: String(receiver.port) })
      expect(found).to.deep.equal([
        { name: 'http-port', status: 'problem', found: `127.0.0.1:${silent.port} is taken by another program`, advice: 'End it, or set MAYFLY_HTTP_HOST, MAYFLY_HTTP_PORT.' },
        { name: 'smtp-port', status: 'problem', found: `127.0.0.1:${receiver.port} is taken by another program`, advice: 'End it, or set MAYFLY_SMTP_HOST, MAYFLY_SMTP_PORT.' },
      ])
    })

    it('disconnects from a program with an endless answer', async () => {
      await using flood = await openHostileServer(() => 'floods with a web page')
      const port = new URL(flood.url).port
      const [found] = await complaints({ ...local(), MAYFLY_HTTP_PORT: port })
      expect(found).to.include({ name: 'http-port', found: `127.0.0.1:${port} is taken by another program` })
      await flood.closed()
      expect(flood.connections.map(({ isOpen, written }) => [isOpen, written < 16 * 1024 * 1024])).to.deep.equal([[false, true]])
    })

    it('reports an address that this machine does not have', async () => {
      expect(await complaints({ ...local(), MAYFLY_SMTP_HOST: '192.0.2.1', MAYFLY_SMTP_PORT: '2525' })).to.deep.equal([
        { name: 'smtp-port', status: 'problem', found: 'cannot listen at 192.0.2.1:2525: the host has no such address', advice: 'Set MAYFLY_SMTP_HOST, MAYFLY_SMTP_PORT.' },
      ])
    })

    it('logs in at the smart host, and sends nothing', async () => {
      await using receiver = await openReceiver({ auth: { user: 'u', pass: 'hidden' } })
      const url = (password: string) => ({ ...local(), MAYFLY_OUTBOUND: `smtp://u:${password}@127.0.0.1:${receiver.port}` })
      expect((await finding('outbound', url('hidden'))).found).to.equal(`the smart host 127.0.0.1:${receiver.port} answers`)
      const [wrong] = await complaints(url('s3cret'))
      expect(wrong).to.include({ name: 'outbound', status: 'problem' })
      expect(wrong!.found).to.match(/cannot be used: Invalid login: 535 .*Wrong password$/).and.not.include('s3cret')
      expect(receiver.mails).to.deep.equal([])
      await receiver[Symbol.asyncDispose]()
      expect((await finding('outbound', url('hidden'))).found).to.match(/cannot be used: connect ECONNREFUSED /)
    })

    it('checks the certificate: its expiry and its name', async () => {
      const { validToDate: end, validFromDate: begin } = new X509Certificate(await readFile(pem('cert')))
      const at = (time: Date, days: number) => finding('tls', inPublic(), time.getTime() + days * 24 * 3600 * 1000)
      const [first, last] = [begin, end].map((time) => time.toISOString().slice(0, 10))
      for (const [result, status, sentence] of [
        [await at(begin, -1), 'problem', `the certificate begins on ${first}`],
        [await at(begin, 1), 'ok', `for ${host}, until ${last}`],
        [await at(end, -15), 'ok', `for ${host}, until ${last}`],
        [await at(end, -13), 'warning', `the certificate ends on ${last}`],
        [await at(end, 1), 'problem', `the certificate ended on ${last}`],
        [await finding('tls', { ...inPublic(), MAYFLY_MX_HOST: 'mx.example.org' }), 'warning', `the certificate is not for mx.example.org but for DNS:${host}`],
      ] as const) expect(result).to.include({ status, found: sentence })
      expect(await finding('tls', { ...inPublic(), MAYFLY_TLS_CERT: '', MAYFLY_TLS_KEY: '' })).to.include({ status: 'warning', found: 'no certificate, so SMTP does not offer STARTTLS' })
    })

    it('checks the base URL, and a listener that is not reachable', async () => {
      for (const [url, status, sentence] of [
        ['http://localhost:3000', 'warning', 'http://localhost:3000 can be reached from this machine alone'],
        ['http://api.burrow.example.org', 'warning', 'http://api.burrow.example.org is not encrypted, so keys can be read on the way'],
        ['https://ap.burrow.example.org', 'warning', 'https://ap.burrow.example.org: the DNS has no address for ap.burrow.example.org'],
        ['https://192.0.2.1', 'ok', 'https://192.0.2.1'],
      ] as const) {
        expect(await finding('base-url', { ...inPublic(), MAYFLY_BASE_URL: url })).to.include({ status, found: sentence })
      }
      expect(await finding('smtp-port', { ...inPublic(), MAYFLY_SMTP_HOST: '127.0.0.1' })).to.include({ status: 'warning' })
    })
  })

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
      expect(performance.now() - start).to.be.lessThan(15_000)
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
