import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Result } from '../../cli/doctor/diagnose.ts'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import { openCertificateAuthority } from '../support/certificate-authority.ts'
import { newPair, writePair } from '../support/certificates.ts'
import { freePort } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { startProvider } from '../support/open-id-provider.ts'
import { openHangingServer, openReceiver } from '../support/receiver.ts'
import { createNewerDatabase } from '../support/store/database-files.ts'
import { openHostileServer } from '../sdk/hostile-server.ts'
import { mayfly, serve } from './run.ts'
import type { Variables } from './run.ts'
import { domain, host, pem, useDoctorWorld } from './doctor-world.ts'

describe('CLI: doctor', function () {
  const { world, local, inPublic, complaints, finding } = useDoctorWorld()
  let folder: string
  let dns: DnsServer
  before(() => { ({ folder, dns } = world) })

  describe('as a command', () => {
    it('reports no problem of a correct server, in a fixed order, and changes nothing', async () => {
      const { code, stdout, stderr } = await mayfly(['doctor', '--json'], inPublic())
      expect(stderr).to.equal('')
      expect(stdout).to.match(/^[^\n]+\n$/)
      const { ok, checks } = JSON.parse(stdout) as { ok: boolean, checks: Result[] }
      expect(checks.filter(({ status }) => status !== 'ok')).to.deep.equal([])
      expect([code, ok]).to.deep.equal([0, true])
      expect(checks.map(({ name }) => name)).to.deep.equal([
        'variables', 'node', 'defaults', 'database', 'disk', 'http-port', 'smtp-port', 'tls', 'base-url', 'outbound', 'dns', 'mx', 'mx-host', 'spf', 'dkim', 'dmarc', 'mta-sts', 'tls-rpt', 'ptr', 'ptr',
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

    it('looks at the ports for logins when they are set, and recognizes a running server there', async () => {
      const ports = [await freePort(), await freePort()].map(String)
      const variables = { ...local(), MAYFLY_SUBMISSION_PORT: ports[0]!, MAYFLY_SMTPS_PORT: ports[1]! }
      expect((await finding('submission-port', variables)).found).to.equal(`127.0.0.1:${ports[0]} is free`)
      await using served = await serve({ ...variables, MAYFLY_LOG_LEVEL: 'silent' })
      expect(served.lines.at(-1)).to.match(new RegExp(` submission=127\\.0\\.0\\.1:${ports[0]} smtps=127\\.0\\.0\\.1:${ports[1]}$`))
      expect((await finding('submission-port', variables)).found).to.equal(`127.0.0.1:${ports[0]}, this service listens there`)
      expect((await finding('smtps-port', variables)).found).to.equal(`127.0.0.1:${ports[1]}, this service listens there`)
      expect((await finding('tls', variables)).found).to.match(/; the ports for logins have a self-signed one$/)
      const otherDatabase = await complaints({ ...variables, MAYFLY_DATABASE: join(folder, 'other.db') })
      expect(otherDatabase.map(({ name, advice }) => [name, advice])).to.deep.equal([
        ['submission-port', 'End it, or set MAYFLY_SMTP_HOST, MAYFLY_SUBMISSION_PORT; or run this with its MAYFLY_DATABASE.'],
        ['smtps-port', 'End it, or set MAYFLY_SMTP_HOST, MAYFLY_SMTPS_PORT; or run this with its MAYFLY_DATABASE.'],
      ])
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
      const otherDatabase = await complaints({ ...variables, MAYFLY_DATABASE: join(folder, 'other.db') })
      expect(otherDatabase.map(({ name, status, found }) => [name, status, found])).to.deep.equal([
        ['http-port', 'problem', `127.0.0.1:${http} is taken by a Mayfly server with another database`],
        ['smtp-port', 'problem', `127.0.0.1:${smtp} is taken by a Mayfly server with another database`],
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
        ['variables', 'problem', 'MAYFLY_OUTBOUND: takes capture, direct, or smtp://user:password@host:port, or smtps://'],
        ['variables', 'problem', 'MAYFLY_RATE_LIMIT: "-1" is not a whole number from 0 to 1000000000'],
        ['variables', 'warning', 'MAYFLY_SMPT_PORT is not a variable of Mayfly'],
        ['node', 'ok', `Node ${process.version}`],
      ])
    })

    it('reports which values are defaults, and that no variable is set', async () => {
      const { MAYFLY_DATABASE: database = '' } = local()
      const found = async (variables: Variables) => (await diagnose(variables)).filter(({ name }) => ['variables', 'defaults'].includes(name))
      const [variables, defaults] = await found({ MAYFLY_DATABASE: database, MAYFLY_HTTP_PORT: '3001', MAYFLY_DEFAULT_DOMAIN: 'mail.test', MAYFLY_SMTP_HOST: ' ' })
      expect(variables!.found).to.equal('MAYFLY_DATABASE, MAYFLY_DEFAULT_DOMAIN, MAYFLY_HTTP_PORT can be used')
      expect(defaults).to.include({ status: 'ok', advice: null })
      expect(defaults!.found).to.include('MAYFLY_HTTP_HOST=127.0.0.1, MAYFLY_CLIENT_HEADER=X-Forwarded-For, MAYFLY_SMTP_HOST=127.0.0.1, MAYFLY_SMTP_PORT=2525')
        .and.include('MAYFLY_BASE_URL=http://localhost:3001').and.include('MAYFLY_MX_HOST=mail.test').and.include('MAYFLY_OUTBOUND=capture')
        .and.not.match(/MAYFLY_(DATABASE|HTTP_PORT|DEFAULT_DOMAIN|TLS_CERT)=/)
      const { stdout } = await mayfly(['doctor'], {})
      expect(stdout).to.match(/^ok {7}variables +none is set: these are the defaults, for this machine alone\. For a server that was started with variables, set the same ones here/)
      expect(stdout).to.match(/\nok {7}defaults +MAYFLY_HTTP_PORT=3000, MAYFLY_DEFAULT_DOMAIN=mail\.localhost, /)
    })

    it('reports a file that is not a database, and a database of a newer version', async () => {
      const [text, newer] = [join(folder, 'text.db'), join(folder, 'newer.db')]
      await writeFile(text, 'no database at all, but long enough to be looked at as one'.repeat(20))
      expect(await complaints({ ...local(), MAYFLY_DATABASE: text })).to.have.nested.property('[0].found', `${text} cannot be opened: it is not a database. Name the file of a Mayfly server, or one that is not there yet`)
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

    it('disconnects from a program whose answer never ends', async () => {
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

    it('warns of sign-up together with outgoing mail', async () => {
      const env = { ...local(), MAYFLY_SIGN_UP: 'open', MAYFLY_OUTBOUND: 'direct' }
      const of = async (changes: Record<string, string>) =>
        (await complaints({ ...env, ...changes })).filter(({ name }: { name: string }) => name === 'outbound').map(({ found }: { found: string }) => found)
      const warning = (mails: string) => [`MAYFLY_SIGN_UP lets others create accounts, and MAYFLY_OUTBOUND lets their mail leave this server: ${mails}, within the limits of docs/sending-and-forwarding.md.`]
      expect(await of({})).to.deep.equal(warning('sign-in links, verification emails and forwards'))
      expect(await of({ MAYFLY_FREE_SENDING: 'true' })).to.deep.equal(warning('mail that they write'))
      expect([...await of({ MAYFLY_OUTBOUND: 'capture' }), ...await of({ MAYFLY_SIGN_UP: 'closed' })]).to.deep.equal([])
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

    it('asks the sign-in provider, and says which redirect URI it needs', async () => {
      await using provider = await startProvider()
      provider.open('http://localhost:3001/sign-in/callback')
      const variables = { ...local(), ...provider.env, MAYFLY_HTTP_PORT: '3001' }
      expect(await finding('sign-in-provider', variables)).to.include({
        status: 'ok', found: `${provider.issuer} answers. Its client mayfly needs the redirect URI http://localhost:3001/sign-in/callback`,
      })
      await provider.stopAnswering()
      const { status, found } = await finding('sign-in-provider', variables)
      expect([status, found.replace(/, connect .*/, ', connect')]).to.deep.equal([
        'problem', `${provider.issuer} cannot be used: fetch failed, connect`,
      ])
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

    it('says whether the server has a certificate by ACME, and when the next one is ordered', async () => {
      await using authority = await openCertificateAuthority()
      const port = await freePort()
      authority.asksAt = `http://127.0.0.1:${port}`
      const variables = {
        ...local(), MAYFLY_MX_HOST: 'localhost', MAYFLY_SMTP_PORT: String(await freePort()), MAYFLY_HTTP_PORT: String(port),
        MAYFLY_ACME_EMAIL: 'ada@example.com', MAYFLY_ACME_DIRECTORY: authority.directory,
      }
      const { host } = new URL(authority.directory)
      expect(await finding('tls', variables)).to.include({ status: 'ok', found: `a server that runs gets it for localhost from ${host}` })
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      authority.beforeProof = () => released
      await using served = await serve({ ...variables, MAYFLY_LOG_LEVEL: 'silent' })
      const none = { status: 'warning', found: `the server has no certificate of ${host} for localhost yet` }
      expect(await finding('tls', variables)).to.include({
        ...none, advice: `Look for ACME in the log of the server. ${host} has to reach it at http://localhost/.well-known/acme-challenge/.`,
      })
      expect(await finding('tls', { ...variables, MAYFLY_ACME_TLS_PORT: '0' })).to.include({
        ...none, advice: `Look for ACME in the log of the server. ${host} has to reach it at port 443 of localhost, which has to lead to MAYFLY_ACME_TLS_PORT.`,
      })
      release()
      let found = await finding('tls', variables)
      while (found.status === 'warning') found = await finding('tls', variables)
      const [begin, end] = [authority.issued[0]!.validFromDate.getTime(), authority.issued[0]!.validToDate.getTime()]
      const day = (time: number) => new Date(time).toISOString().slice(0, 10)
      expect(found).to.include({ status: 'ok', found: `for localhost, until ${day(end)}; the next one comes from ${host} on ${day(end - (end - begin) / 3)}` })
      const late = (end - begin) / 5
      expect(await finding('tls', variables, end - late)).to.include({ status: 'warning', found: `the certificate of ${host} ends on ${day(end)}, and was not renewed` })
      expect(await finding('tls', variables, end + late)).to.include({ status: 'problem', found: `the certificate of ${host} ended on ${day(end)}, and was not renewed` })
      await served.stop()
    })

    it('compares the certificate of the file with that of a running server', async () => {
      const [first, second] = [await newPair(), await newPair()]
      const folder = await mkdtemp(join(world.folder, 'tls-'))
      const variables = {
        ...local(), MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_DEFAULT_DOMAIN: 'localhost', MAYFLY_SMTP_PORT: String(await freePort()),
        MAYFLY_HTTP_PORT: String(await freePort()), ...await writePair(folder, first),
      }
      const old = (time: number) => new Date(time).toISOString().slice(0, 10)
      const end = new X509Certificate(first.cert).validToDate.getTime()
      await using served = await serve({ ...variables, MAYFLY_LOG_LEVEL: 'silent' })
      expect(await finding('tls', variables)).to.include({ status: 'ok', found: `for localhost, until ${old(end)}` })
      const others = { ...variables, ...await writePair(await mkdtemp(join(world.folder, 'tls-')), second) }
      expect(await finding('tls', others)).to.include({ status: 'warning', found: `the server shows another certificate than that of the file, which ends on ${old(end)}` })
      expect(await finding('tls', others, end + 1)).to.include({ status: 'problem', found: `the server shows another certificate than that of the file, which ended on ${old(end)}` })
      await served.stop()
      expect(await finding('tls', others)).to.include({ status: 'ok' })
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
      expect(await finding('base-url', { ...local(), MAYFLY_HTTP_PORT: '3001', MAYFLY_BASE_URL: 'http://localhost:3000' })).to.include({
        status: 'warning',
        found: 'MAYFLY_BASE_URL is http://localhost:3000, but this server listens at port 3001: its links lead elsewhere, unless that port is passed on to it',
      })
      expect(await finding('base-url', { ...local(), MAYFLY_HTTP_PORT: '3001', MAYFLY_TRUSTED_PROXIES: '127.0.0.1' })).to.include({
        status: 'warning',
        found: 'MAYFLY_TRUSTED_PROXIES names a proxy, and MAYFLY_BASE_URL is http://localhost:3001: links lead to this machine, and behind TLS the cookies of sessions lack Secure',
      })
      expect(await finding('smtp-port', { ...inPublic(), MAYFLY_SMTP_HOST: '127.0.0.1' })).to.include({ status: 'warning' })
    })
  })
})
