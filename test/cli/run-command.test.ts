import { expect } from 'chai'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { noDns } from '../support/no-dns.ts'
import { hasTerminal, start, startOnTerminal } from './run.ts'
import type { Variables } from './run.ts'

const moduleUrl = (name: string) => JSON.stringify(import.meta.resolve(name))

/** An app that mails by SMTP_URL, and its test, which reads the mail; it ends with the code of its first argument. */
const appAndTest = `
  import { Mayfly } from ${moduleUrl('@mayfly-mail/sdk')}
  import { createTransport } from ${moduleUrl('nodemailer')}

  const url = new URL(process.env.SMTP_URL)
  const { SMTP_HOST: host, SMTP_PORT: port } = process.env
  const mail = { from: 'shop@example.org', subject: 'Welcome', text: 'Your code is 482913.' }
  const mayfly = new Mayfly()
  const all = await mayfly.inboxes.open('app@mail.localhost')
  const arrival = all.waitForCode({ to: 'ada@example.com' })
  await createTransport({ host, port, auth: { user: 'any', pass: 'login' } }).sendMail({ ...mail, to: 'ada@example.com' })
  const inbox = await mayfly.inboxes.create()
  await createTransport(url.href).sendMail({ ...mail, to: inbox.address })
  console.log(await arrival, await inbox.waitForCode())
  await inbox.delete()
  process.exit(Number(process.argv[2]))
`

/** Says where the server is, and goes on until it gets a signal. */
const waiting = "console.log('server ' + process.env.MAYFLY_BASE_URL); setInterval(() => {}, 1000)"

describe('CLI: run', function () {
  let folder: string
  let temporary: string
  let variables: Variables
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-runs-'))
    temporary = join(folder, 'temporary')
    await mkdir(temporary)
    variables = { PATH: process.env['PATH']!, TMPDIR: temporary, MAYFLY_DNS_SERVERS: await noDns() }
  })
  afterEach(() => rm(folder, { recursive: true }))

  const node = (code: string) => ['--', process.execPath, '--eval', code]
  async function run(...words: string[]) {
    await using running = start(['run', ...words], variables) // two processes more than other commands: it may take longer
    return await running.ended
  }

  /** The server answers no more, and the folder of its database is not there. */
  async function expectNothingLeft(url?: string) {
    expect(await readdir(temporary)).to.deep.equal([])
    if (url) expect(await fetch(url).then(() => 'answered', () => 'ended')).to.equal('ended')
  }

  async function mails(code: number, ...options: string[]) {
    const file = join(folder, 'app.mjs')
    await writeFile(file, appAndTest)
    return run(...options, '--', process.execPath, file, String(code))
  }

  it('gives a command the variables of a server that gets all mail, prints nothing of its own, and ends with its code', async () => {
    const kept = join(folder, 'kept')
    expect(await mails(0, '--keep', kept)).to.deep.equal({ code: 0, stdout: '482913 482913\n', stderr: '' })
    expect(await readdir(folder)).to.not.include('kept')
    await expectNothingLeft()
  })

  it('keeps the mails of a command that fails, also those of addresses that it has deleted', async () => {
    const kept = join(folder, 'kept')
    const { code, stderr } = await mails(7, '--keep', kept)
    expect([code, stderr]).to.deep.equal([7, `mayfly: 2 mails are in ${kept}\n`])
    const emails = JSON.parse(await readFile(join(kept, 'emails.json'), 'utf8')) as { id: string, recipients: string[], codes: unknown[] }[]
    expect(emails).to.have.length(2)
    expect(emails[0]!.recipients).to.deep.equal(['ada@example.com'])
    expect((await readdir(kept)).sort()).to.deep.equal([...emails.map(({ id }) => `${id}.eml`), 'emails.json'].sort())
    expect(await readFile(join(kept, `${emails[0]!.id}.eml`), 'utf8')).to.include('Your code is 482913.')
    await expectNothingLeft()
  })

  it('ends as a shell after a command that a signal has ended, that is not there, or that cannot be run', async () => {
    expect((await run(...node("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)"))).code).to.equal(143)
    const missing = await run('--', 'no-such-command')
    expect(missing).to.deep.equal({ code: 127, stdout: '', stderr: 'mayfly: no-such-command: there is no such command\n' })
    const file = join(folder, 'text')
    await writeFile(file, '', { mode: 0o600 })
    const { code, stderr } = await run('--', file)
    expect([code, stderr]).to.match(/^126,mayfly: \S+text: cannot be run: .*EACCES\n$/)
    await expectNothingLeft()
  })

  it('leaves the command its umask, and the settings of its environment to its server', async () => {
    variables = {
      ...variables, MAYFLY_DATABASE: join(folder, 'other.db'), MAYFLY_HTTP_PORT: '1', MAYFLY_OUTBOUND: 'smtp://127.0.0.1:9',
      MAYFLY_DEFAULT_DOMAIN: 'qa.example.org',
    }
    const { stdout } = await run(...node(`
      const headers = { authorization: 'Bearer ' + process.env.MAYFLY_API_KEY }
      fetch(process.env.MAYFLY_BASE_URL + '/api/v1/addresses', { headers }).then((answer) => answer.json())
        .then(({ data }) => console.log(data.addresses[0].address, process.umask()))
    `))
    expect(stdout).to.equal(`app@qa.example.org ${process.umask()}\n`)
    expect(await readdir(folder)).to.deep.equal(['temporary'])
  })

  it('leaves the command its PATH, without the Node of a checkout of Mayfly', async function () {
    const folder = dirname(process.execPath)
    if (!folder.includes('node_modules')) return this.skip()
    variables['PATH'] = [folder, '/usr/bin', folder].join(delimiter)
    expect((await run(...node('console.log(process.env.PATH)'))).stdout).to.equal(`${['/usr/bin', folder].join(delimiter)}\n`)
  })

  it('says why a server could not start, without the command; --log keeps its lines', async () => {
    const log = join(folder, 'server.log')
    variables['MAYFLY_LOG_LEVEL'] = 'loud'
    const { code, stdout, stderr } = await run('--log', log, ...node("console.log('it runs')"))
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.match(/^mayfly: The server could not start:\nmayfly: MAYFLY_LOG_LEVEL: "loud" is none of /)
    variables['MAYFLY_LOG_LEVEL'] = 'info'
    expect((await run('--log', log, ...node('0'))).code).to.equal(0)
    expect(await readFile(log, 'utf8')).to.match(/^mayfly: MAYFLY_LOG_LEVEL.*\n(\{.*\}\n)*.*"msg":"shutting down"\}\n$/)
    expect((await run('--log', join(folder, 'no', 'folder'), ...node('0'))).stderr).to.match(/^mayfly: \S+ cannot be written: ENOENT/)
    await expectNothingLeft()
  })

  if (process.platform !== 'win32') describe('signals', () => {
    it('reach the command, whose code is that of the run', async () => {
      const code = `process.on('SIGTERM', () => process.exit(5)); ${waiting}`
      await using running = start(['run', ...node(code)], variables)
      const [, url] = await running.says('stdout', /server (\S+)\n/)
      expect((await running.stop('SIGTERM')).code).to.equal(5)
      await expectNothingLeft(url)
    })

    it('end a command that does not take them', async () => {
      await using running = start(['run', ...node(waiting)], variables)
      const [, url] = await running.says('stdout', /server (\S+)\n/)
      expect((await running.stop('SIGINT')).code).to.equal(130)
      await expectNothingLeft(url)
    })

    it('that come before the command end the server alone', async () => {
      await using running = start(['run', ...node("console.log('it runs')")], variables)
      while ((await readdir(temporary)).length === 0) await setTimeout(5)
      const { code, stdout } = await running.stop('SIGTERM')
      expect([code, stdout]).to.deep.equal([143, ''])
      await expectNothingLeft()
    })

    if (hasTerminal()) it('of Ctrl-C on a terminal reach it once, while the server goes on for what the command does last', async () => {
      const last = `let count = 0
        process.on('SIGINT', () => { count++ })
        process.once('SIGINT', () => setTimeout(async () => {
          const { status } = await fetch(process.env.MAYFLY_BASE_URL + '/readyz')
          console.log(count + " times, " + status)
          process.exit(9)
        }, 500))`
      await using running = startOnTerminal(['run', ...node(`${last}; ${waiting}`)], variables)
      await running.says('stdout', /server (\S+)\r?\n/)
      running.child.stdin.write('\x03')
      const { code, stdout } = await running.ended
      expect(code, stdout).to.equal(9)
      expect(stdout).to.match(/1 times, 200\r?\n$/)
      await expectNothingLeft()
    })

    it('kill the run: its server ends, and removes its folder', async () => {
      await using running = start(['run', ...node(`setTimeout(() => process.exit(), 2000); ${waiting}`)], variables)
      const [, url] = await running.says('stdout', /server (\S+)\n/)
      running.child.kill('SIGKILL')
      await once(running.child, 'exit')
      while ((await readdir(temporary)).length > 0) await setTimeout(20)
      await expectNothingLeft(url)
    })
  })
})
