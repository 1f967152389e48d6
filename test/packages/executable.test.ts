import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { targetOf } from '../../build/executable/target.ts'
import { shownCertificate } from '../smtp/mailbox.ts'
import { openCertificateAuthority } from '../support/certificate-authority.ts'
import { freePort } from '../support/dns-server.ts'
import { noDns } from '../support/no-dns.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { expectStop, stopTries } from '../support/stop.ts'
import { readDockerfile } from './container.ts'
import { expectMock, must, run, start } from './project.ts'
import type { Running } from './project.ts'
import { expectDashboard } from './served-dashboard.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('Executable', function () {
  this.timeout(300_000 + stopTries * 30_000)
  let folder: string
  let built: string
  let mayfly: string
  let variables: Record<string, string>
  before(async function () {
    if (process.platform !== 'linux') return this.skip() // test/packages/release.test.ts tries the others
    folder = mkdtempSync(join(tmpdir(), 'mayfly-executable-'))
    await must(process.execPath, [join(root, 'build/main.ts'), 'executable'], root)
    built = targetOf().file
    mkdirSync(join(folder, 'bin'))
    mayfly = join(folder, 'bin/mayfly')
    copyFileSync(built, mayfly)
    chmodSync(mayfly, 0o755)
    variables = {
      PATH: '/nonexistent', HOME: folder, MAYFLY_DATABASE: join(folder, 'data/mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0',
      MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: await noDns(),
    }
  })
  after(() => { if (folder) rmSync(folder, { recursive: true, force: true }) })

  it('runs with the command and the variables of the container', async () => {
    const { entrypoint, command, variables: ofContainer, health } = readDockerfile()
    expect(entrypoint).to.deep.equal(['/usr/local/bin/mayfly'])
    const env = { ...ofContainer, ...variables, MAYFLY_DATABASE: join(folder, 'data/container.db'), MAYFLY_HTTP_HOST: ofContainer['MAYFLY_HTTP_HOST']! }
    const served = start(mayfly, command, folder, env)
    try {
      const [, port] = await served.line(/"listening":\{"http":"http:\S+?:(\d+)"/)
      expect(health[0]).to.equal(entrypoint[0])
      expect(await must(mayfly, health.slice(1), folder, { ...env, MAYFLY_HTTP_PORT: port! })).to.match(/^ready: /)
    } finally {
      await served.stop()
    }
  })

  it('needs the libraries that the container has, and no other', () => {
    const needed = execFileSync('ldd', [built], { encoding: 'utf8' }).match(/\b(ld-linux|lib)[\w+-]*(?=\.so)/g)!
    const base = ['ld-linux-x86-64', 'ld-linux-aarch64', 'libc', 'libdl', 'libm', 'libpthread', 'libstdc++', 'libgcc_s'] // of distroless/cc
    const dockerfile = readFileSync(join(root, 'packaging/Dockerfile'), 'utf8')
    for (const name of new Set(needed.filter((each) => !base.includes(each)))) expect(dockerfile).to.include(`apt-get download ${name}1:$TARGETARCH`)
  })

  it('has all commands, its version, and the licences of its parts beside it', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(await must(mayfly, ['--version'], folder, variables)).to.equal(`${version}\n`)
    expect(await must(mayfly, ['--help'], folder, variables)).to.match(/^ {2}serve .*\n(.*\n)* {2}doctor /m)
    const licences = readFileSync(`${built}.licences.txt`, 'utf8')
    for (const part of ['better-sqlite3', 'koa', 'kysely', 'mailauth', 'pg', `node-${process.platform}-${process.arch}`]) {
      expect(licences).to.match(new RegExp(`^${part} \\d`, 'm'))
    }
    expect(statSync(mayfly).size).to.be.lessThan(185_000_000)
  })

  describe('with nothing else in the PATH', () => {
    let served: Running
    let connection: Record<string, string>
    let smtp: { host: string, port: number }
    before(async () => {
      served = start(mayfly, ['serve'], folder, variables)
      const [, key] = await served.line(/shown this once: (svc_live_\w+)/)
      const [, url, host, port] = await served.line(/^listening http=(\S+) smtp=(.+):(\d+)$/)
      connection = { ...variables, MAYFLY_API_KEY: key!, MAYFLY_BASE_URL: url! }
      smtp = { host: host!, port: Number(port) }
    })
    after(() => served?.stop())

    it('receives a mail and waits for its code', async () => {
      const address = (await must(mayfly, ['address', 'create'], folder, connection)).trim()
      const waiting = must(mayfly, ['inbox', 'wait', address, '--timeout', '30s'], folder, connection)
      await createTransport({ ...smtp, tls: { rejectUnauthorized: false } })
        .sendMail({ from: 'shop@example.org', to: address, subject: 'Welcome', text: 'Your code is 482913.', html: '<p>Your code is <b>482913</b>.' })
      expect(await waiting).to.equal('482913\n')
    })

    it('takes long mail, and finds it by a word', async () => {
      const address = (await must(mayfly, ['address', 'create'], folder, connection)).trim()
      await createTransport({ ...smtp, tls: { rejectUnauthorized: false } }).sendMail({
        from: 'shop@example.org', to: address, subject: 'Invoice', text: 'Your code is 739154.', attachments: [{ filename: 'a.bin', content: Buffer.alloc(2_000_000, 1) }],
      })
      expect(await must(mayfly, ['inbox', 'wait', address, '--timeout', '30s'], folder, connection)).to.equal('739154\n')
      const { data } = await fetch(`${connection['MAYFLY_BASE_URL']}/api/v1/emails?q=invoice`, {
        headers: { authorization: `Bearer ${connection['MAYFLY_API_KEY']}` },
      }).then((answer) => answer.json()) as { data: { subject: string }[] }
      expect(data.map(({ subject }) => subject)).to.deep.equal(['Invoice'])
    })

    it('serves the OpenAPI document and its reference', async () => {
      const read = (path: string) => fetch(new URL(path, connection['MAYFLY_BASE_URL'])).then((answer) => answer.text())
      expect(await read('/openapi.yaml')).to.match(/^openapi: 3\.1/)
      const page = await read('/docs')
      expect(page).to.include('await mayfly.addresses.create(')
      const [style, script] = await Promise.all([...page.matchAll(/"(docs\/reference-[^"]+)"/g)].map(([, path]) => read(`/${path}`)))
      expect(style).to.include('color-scheme: light dark')
      expect(script).to.include('function openFilter(')
    })

    it('serves the dashboard', () => expectDashboard(connection['MAYFLY_BASE_URL']!))

    it('has the commands of the operator, and doctor', async () => {
      expect(JSON.parse(await must(mayfly, ['key', 'list', '--json'], folder, variables))).to.have.length(1)
      const { stdout } = await run(mayfly, ['doctor', '--json'], folder, { ...variables, MAYFLY_BASE_URL: connection['MAYFLY_BASE_URL']! })
      const { checks } = JSON.parse(stdout) as { checks: { name: string, status: string }[] }
      expect(checks.filter(({ status }) => status === 'problem')).to.deep.equal([])
      expect(checks.map(({ name }) => name)).to.include.members(['database', 'disk', 'http-port', 'smtp-port'])
    })

    it('reports its health', async () => {
      const { MAYFLY_BASE_URL } = connection as { MAYFLY_BASE_URL: string }
      expect(await must(mayfly, ['health', '--url', MAYFLY_BASE_URL], folder, variables)).to.equal(`ready: ${MAYFLY_BASE_URL}/readyz\n`)
    })

    it('is one process, with the memory settings of a server', () => {
      const lines = execFileSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(`${mayfly} serve`))
      expect(lines).to.have.length(1)
    })
  })

  it('has a mock', () => expectMock(mayfly, folder, variables))

  it('works on a database of a PostgreSQL server', async () => {
    const env = { ...variables, MAYFLY_DATABASE: await newPostgresDatabase(), MAYFLY_DEFAULT_DOMAIN: 'mail.test' }
    const served = start(mayfly, ['serve'], folder, env)
    try {
      const [, key] = await served.line(/shown this once: (svc_live_\w+)/)
      const [, url, host, port] = await served.line(/^listening http=(\S+) smtp=(.+):(\d+)$/)
      const client = { ...env, MAYFLY_API_KEY: key!, MAYFLY_BASE_URL: url! }
      const address = (await must(mayfly, ['address', 'create'], folder, client)).trim()
      await createTransport({ host: host!, port: Number(port), tls: { rejectUnauthorized: false } })
        .sendMail({ from: 'shop@example.org', to: address, subject: 'Welcome', text: 'Your code is 482913.' })
      expect(await must(mayfly, ['inbox', 'wait', address, '--timeout', '30s'], folder, client)).to.equal('482913\n')
      expect(JSON.parse(await must(mayfly, ['key', 'list', '--json'], folder, env))).to.have.length(1)
    } finally {
      await served.stop()
    }
  })

  it('orders a certificate by ACME', async () => {
    await using authority = await openCertificateAuthority()
    authority.asksAt = await freePort()
    const served = start(mayfly, ['serve'], folder, {
      ...variables, MAYFLY_DATABASE: join(folder, 'data/acme.db'), MAYFLY_MX_HOST: 'mx.example.com', MAYFLY_ACME_EMAIL: 'ada@example.org',
      MAYFLY_ACME_DIRECTORY: authority.directory, MAYFLY_ACME_TLS_PORT: String(authority.asksAt),
    })
    try {
      const [, host, port] = await served.line(/^listening http=\S+ smtp=(.+):(\d+)$/)
      const shown = () => shownCertificate({ host: host!, port: Number(port) })
      while ((await shown()).fingerprint256 !== authority.issued[0]?.fingerprint256) await setTimeout(50)
    } finally {
      await served.stop()
    }
  })

  it('leaves no file but the database', async () => {
    const [home, temporary] = ['home', 'temporary'].map((name) => mkdtempSync(join(folder, `${name}-`))) as [string, string]
    await must(mayfly, ['account', 'create', '--email', 'ada@example.org', '--plan', 'free'], home, {
      ...variables, HOME: home, TMPDIR: temporary, MAYFLY_DATABASE: join(home, 'data/mayfly.db'),
    })
    expect(readdirSync(temporary)).to.deep.equal([])
    expect(readdirSync(home)).to.deep.equal(['data'])
    expect(readdirSync(join(home, 'data')).sort()).to.deep.equal(['mayfly.db', 'mayfly.db-server'])
    expect(readdirSync(join(folder, 'bin'))).to.deep.equal([basename(mayfly)])
  })

  it('SIGTERM ends it, and its ports are free', async () => {
    for (let i = 0; i < stopTries; i++) await expectStop({ command: mayfly, args: ['serve'], cwd: folder, env: { ...variables, MAYFLY_DATABASE: join(folder, 'stops/mayfly.db') } })
  })
})
