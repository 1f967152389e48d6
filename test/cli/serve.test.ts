import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeFile } from '../support/store/database-files.ts'
import { mayfly, serve } from './run.ts'
import type { Variables } from './run.ts'

describe('CLI: serve', function () {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-serve-')) })
  afterEach(() => rm(folder, { recursive: true }))
  const variables = (): Variables => ({ MAYFLY_DATABASE: join(folder, 'new', 'mayfly.db') })

  it('creates the first account and its key, prints its addresses, and exits with 0 after SIGTERM or SIGINT', async () => {
    await using first = await serve({ ...variables(), MAYFLY_DEFAULT_DOMAIN: 'qa.example.org' })
    expect(first.lines).to.have.length(2)
    const [, key] = /^account owner@qa\.example\.org \(Business\), its API key, shown this once: (svc_live_\w{33})$/.exec(first.lines[0]!)!
    const [, url] = /^listening http=(http:\/\/127\.0\.0\.1:\d+) smtp=127\.0\.0\.1:\d+$/.exec(first.lines[1]!)!
    const headers = { authorization: `Bearer ${key}` }
    const created = await fetch(`${url}/api/v1/addresses`, { method: 'POST', headers })
    expect(created.status).to.equal(201)
    const { data } = await created.json() as { data: { address: string } }
    expect(data.address).to.match(/@qa\.example\.org$/)

    // the keep-alive connection of the earlier request is open, and must not delay the exit
    const { code, stdout, stderr } = await first.stop('SIGTERM')
    expect(code).to.equal(0)
    const [, , dashboard, ...rest] = stdout.split('\n')
    expect(dashboard).to.match(/^dashboard http:\/\/localhost:\d+\/sign-in#[\w-]{43}$/)
    expect(rest).to.deep.equal([''])
    const log = stderr.trimEnd().split('\n').map((line) => JSON.parse(line))
    expect(log.map(({ msg }) => msg)).to.include.members(['request', 'shutting down'])
    expect(log.filter(({ level }) => level >= 40)).to.deep.equal([])
    expect(stderr).to.not.include(key)
    expect((await readdir(join(folder, 'new'))).filter((name) => !/^mayfly\.db(-wal|-shm|-server|-reserve)?$/.test(name))).to.deep.equal([])

    await using second = await serve(variables())
    expect(second.lines).to.have.length(1)
    const third = await mayfly(['serve'], variables())
    expect([third.code, third.stdout]).to.deep.equal([1, ''])
    const other = existsSync('/proc/locks') ? `another server, process ${second.pid},` : 'another server'
    expect(third.stderr).to.match(new RegExp(`^mayfly: MAYFLY_DATABASE: ${other} runs on \\S+\\. Stop it first, or name another file\\.\n$`))
    expect(second.lines[0]).to.match(/^listening /)
    const [, again] = /http=(\S+)/.exec(second.lines[0]!)!
    const list = await fetch(`${again}/api/v1/addresses`, { headers })
    expect((await list.json() as { data: { total: number } }).data.total).to.equal(1)
    const ended = await second.stop('SIGINT')
    expect(ended.code).to.equal(0)
    expect(ended.stdout).to.match(/^listening .*\n$/) // its default domain has no account `owner@`

    await using fourth = await serve({ ...variables(), MAYFLY_DEFAULT_DOMAIN: 'qa.example.org' })
    expect((await fourth.stop()).stdout).to.match(/^listening .*\ndashboard http:\/\/localhost:\d+\/sign-in#[\w-]{43}\n$/)
  })

  it('warns of each unknown MAYFLY_ variable, without its value, and of sign-up with outgoing mail', async () => {
    const relay = { MAYFLY_SIGN_UP: 'example.com', MAYFLY_OUTBOUND: 'smtp://127.0.0.1:9' }
    await using served = await serve({ ...variables(), ...relay, MAYFLY_SMPT_PORT: 'secret', MAYFLY_API_KEY: 'svc_live_known' })
    const { stderr } = await served.stop('SIGTERM')
    const warnings = stderr.trimEnd().split('\n').map((line) => JSON.parse(line) as { level: number, msg: string }).filter(({ level }) => level >= 40)
    expect(warnings.map(({ level, msg }) => [level, msg])).to.deep.equal([
      [40, 'MAYFLY_SMPT_PORT: unknown; did you mean MAYFLY_SMTP_PORT?'],
      [40, 'MAYFLY_SIGN_UP lets others create accounts, and MAYFLY_OUTBOUND lets their mail leave this server: '
        + 'sign-in links, verification emails and forwards, within the limits of docs/sending-and-forwarding.md.'],
    ])
    expect(stderr).to.not.include('secret')
  })

  it('says when mail will be refused because the disk has too little space', async () => {
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'full.db'), MAYFLY_MIN_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) })
    const { stderr } = await served.stop()
    expect(stderr).to.include('MAYFLY_MIN_FREE_BYTES: the disk has less free space than that, so mail is answered 452 until it has more')
  })

  it('memory: bounds the young generation of V8, the growth of the old one and the arenas of malloc, unless NODE_OPTIONS has a size', async function () {
    if (process.platform === 'win32') return this.skip() // without execve it cannot restart itself with flags
    const startedWith = (pid: number) => execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    await using served = await serve(variables())
    expect(startedWith(served.pid)).to.match(/ --max-semi-space-size=4 --heap-growing-percent=70 --no-parallel-scavenge \S+mayfly\.js serve\n$/)
    if (process.platform === 'linux') expect(readFileSync(`/proc/${served.pid}/environ`, 'utf8').split('\0')).to.include('MALLOC_ARENA_MAX=2')
    await served.stop()
    await using chosen = await serve({ ...variables(), NODE_OPTIONS: '--max-semi-space-size=16' })
    expect(startedWith(chosen.pid)).to.match(/node \S+mayfly\.js serve\n$/)
    await chosen.stop()
  })

  it('has a log without secrets, in whichever part of a request they were', async () => {
    await using served = await serve({ ...variables(), MAYFLY_LOG_LEVEL: 'trace' })
    const [, key] = /: (svc_live_\w{33})$/.exec(served.lines[0]!)!
    const [, url] = /http=(\S+)/.exec(served.lines[1]!)!
    const headers = { authorization: `Bearer ${key}`, 'user-agent': key! }
    const token = 'Tk'.repeat(21) + 'n'
    const secret = `whsec_${'Sc+/'.repeat(8)}`
    for (const path of [`/api/v1/addresses/${key}`, `/api/v1/webhooks/${secret}`, `/${key}/x`, `/verify-forwarding/${token}`, `/verify-forwarding?token=${token}`]) {
      await fetch(`${url}${path}`, { headers })
      await fetch(`${url}${path}`)
    }
    const { stderr } = await served.stop()
    expect(stderr.match(/"msg":"request"/g)).to.have.length(10)
    expect(stderr).to.include('"path":"/api/v1/addresses/svc_live_…"').and.include('"path":"/verify-forwarding/…"')
    for (const part of [key!.slice(12), 'Sc+/Sc', 'TkTk']) expect(stderr).to.not.include(part)
  })

  it('prints the same as JSON with --json, one document per line', async () => {
    await using served = await serve(variables(), ['--json'])
    const [first, second] = served.lines.map((line) => JSON.parse(line))
    expect(first).to.deep.equal({ event: 'account', account: 'owner@mail.localhost', key: first.key })
    expect(first.key).to.match(/^svc_live_/)
    expect(second.event).to.equal('listening')
    expect(second.listening.http).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(second.listening.smtp).to.match(/^127\.0\.0\.1:\d+$/)
    const [, , third, ...rest] = (await served.stop()).stdout.trimEnd().split('\n')
    expect(JSON.parse(third!)).to.have.property('event', 'sign-in-link')
    expect(JSON.parse(third!).dashboard).to.match(/\/sign-in#[\w-]{43}$/)
    expect(rest).to.deep.equal([])
  })

  it('creates no account when the database has one', async () => {
    await mayfly(['account', 'create', '--email', 'ada@example.org', '--plan', 'free'], variables())
    await using served = await serve(variables())
    expect(served.lines).to.have.length(1)
    await served.stop()
    expect((await mayfly(['account', 'list', '--json'], variables())).stdout).to.not.include('owner@')
  })

  it('goes on when the link to the dashboard cannot be made, and logs the reason', async () => {
    const database = join(folder, 'mayfly.db')
    await (await serve({ MAYFLY_DATABASE: database })).stop()
    changeFile(database, "create trigger refuse before insert on sign_in_links begin select raise(abort, 'no links today'); end")
    const { code, stdout, stderr } = await (await serve({ MAYFLY_DATABASE: database })).stop()
    expect([code, stdout]).to.match(/^0,listening .*\n$/)
    expect(stderr).to.include('no links today').and.include('no link to the dashboard can be made')
  })

  it('says when MAYFLY_BASE_URL is that of another server, or lacks TLS behind a proxy', async () => {
    const warnings = async (variables: Variables) => {
      const { stderr } = await (await serve({ MAYFLY_DATABASE: join(folder, 'mayfly.db'), ...variables })).stop()
      return stderr.trimEnd().split('\n').map((line) => JSON.parse(line) as { level: number, msg: string })
        .filter(({ level }) => level >= 40).map(({ msg }) => msg.replace(/port \d+:/, 'port N:'))
    }
    expect(await warnings({ MAYFLY_BASE_URL: 'http://localhost:3001' })).to.deep.equal([
      'MAYFLY_BASE_URL is http://localhost:3001, but this server listens at port N: its links lead elsewhere, unless that port is passed on to it. '
      + 'Unset it, which is also the server of clients in this shell, or set MAYFLY_HTTP_PORT=3001.',
    ])
    expect(await warnings({ MAYFLY_BASE_URL: 'http://localhost:3000', MAYFLY_TRUSTED_PROXIES: '127.0.0.1' })).to.deep.equal([
      'MAYFLY_TRUSTED_PROXIES names a proxy, and MAYFLY_BASE_URL is http://localhost:3000: links lead to this machine, and behind TLS the cookies of '
      + 'sessions lack Secure. Set MAYFLY_BASE_URL to the https URL by which others reach the API: links in mails begin with it.',
    ])
    for (const baseUrl of ['https://mail.example.org', 'https://localhost:8443']) expect(await warnings({ MAYFLY_BASE_URL: baseUrl })).to.deep.equal([])
  })

  it('ends open SMTP sessions with 421 when it stops', async () => {
    await using served = await serve({ ...variables(), MAYFLY_LOG_LEVEL: 'silent' })
    const [, host, port] = /smtp=(.*):(\d+)$/.exec(served.lines.at(-1)!)!
    const socket = connect(Number(port), host)
    let said = ''
    const greeted = new Promise<void>((resolve) => {
      socket.on('data', (text) => {
        said += String(text)
        resolve()
      })
    })
    await greeted
    expect((await served.stop()).code).to.equal(0)
    await new Promise((resolve) => socket.destroyed ? resolve(undefined) : socket.once('close', resolve))
    expect(said).to.match(/^220 .*\r\n421 .*\r\n$/)
  })

  it('does not start with an invalid variable, and names it', async () => {
    const outcome = await mayfly(['serve'], { ...variables(), MAYFLY_HTTP_PORT: '65536' })
    expect(outcome).to.deep.equal({ code: 1, stdout: '', stderr: 'mayfly: MAYFLY_HTTP_PORT: "65536" is not a whole number from 0 to 65535\n' })
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('exits with 0 when a process group and a launcher both deliver the signal', async () => {
    await using served = await serve(variables())
    void served.stop('SIGTERM')
    void served.stop('SIGTERM')
    const { code, stderr } = await served.stop('SIGINT')
    expect(stderr).to.include('shutting down')
    expect(code).to.equal(0)
  })

  describe('names the variable for', () => {
    const free: Variables = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_LOG_LEVEL: 'silent' }

    for (const [protocol, port] of [['HTTP', 'HTTP'], ['SMTP', 'SMTP'], ['SMTP', 'SUBMISSION'], ['SMTP', 'SMTPS']] as const) {
      it(`a port for ${port} that is in use`, async () => {
        const other = createServer().listen(0, '127.0.0.1')
        await new Promise((resolve) => other.once('listening', resolve))
        const number = String((other.address() as AddressInfo).port)
        const { code, stderr } = await mayfly(['serve'], { ...variables(), ...free, [`MAYFLY_${port}_PORT`]: number })
        other.close()
        expect(code).to.equal(1)
        expect(stderr).to.equal(
          `mayfly: MAYFLY_${protocol}_HOST, MAYFLY_${port}_PORT: cannot listen at 127.0.0.1:${number}, the address is in use already; choose another port\n`)
      })
    }

    it('a host that is not of this machine', async () => {
      const { code, stderr } = await mayfly(['serve'], { ...variables(), ...free, MAYFLY_SMTP_HOST: '203.0.113.1' })
      expect(code).to.equal(1)
      expect(stderr).to.equal('mayfly: MAYFLY_SMTP_HOST, MAYFLY_SMTP_PORT: cannot listen at 203.0.113.1:0, the host has no such address\n')
    })

    it('a database that cannot be opened', async () => {
      const garbage = join(folder, 'garbage')
      await writeFile(garbage, 'no database, '.repeat(1000))
      await symlink(join('missing', 'mayfly.db'), join(folder, 'dangling'))
      const reasons: [string, RegExp][] = [
        [folder, /is a folder\. Name a file in it, such as \S+mayfly\.db$/m], ['/dev/null', /\/dev\/null is not a regular file\. Name another one/],
        [':memory:', /:memory: is not a file\. Name one/], [garbage, /cannot be opened, it is not a database\. Name the file/],
        [join(garbage, 'x.db'), /cannot be opened, (its folder|a folder of its path) is a file\. Name another file|there is no file/],
        [join(folder, 'dangling'), /is a symbolic link to \S+missing\/mayfly\.db, whose folder is missing\. Make the folder, or correct the link/],
        ['mysql://user:secret@db/mayfly', /takes a file, or a URL that begins with postgres:/],
      ]
      await Promise.all(reasons.flatMap(([database, reason]) => [['serve'], ['key', 'list']].map(async (command) => {
        const { code, stdout, stderr } = await mayfly(command, { ...free, MAYFLY_DATABASE: database })
        expect(stderr).to.match(/^mayfly: MAYFLY_DATABASE: [^\n]+\n$/).and.match(reason).and.not.include('secret')
        expect([code, stdout]).to.deep.equal([1, ''])
      })))
      expect((await readdir(folder)).sort()).to.deep.equal(['dangling', 'garbage'])
    })
  })
})
