import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { noDns } from '../support/no-dns.ts'
import { mayfly, serve, start } from './run.ts'
import type { Variables } from './run.ts'

describe('CLI: start and stop', function () {
  let parent: string
  let folder: string
  let variables: Variables
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'mayfly-start-'))
    folder = join(parent, 'server')
    variables = { MAYFLY_DNS_SERVERS: await noDns() }
  })
  afterEach(async () => {
    await run('stop')
    await rm(parent, { recursive: true })
  })

  const run = (command: string, ...options: string[]) => mayfly([command, '--folder', folder, ...options], variables)
  async function startJson(): Promise<{ pid: number, variables: Variables }> {
    const { stdout, stderr } = await run('start', '--json')
    expect(stderr).to.equal('')
    return JSON.parse(stdout)
  }
  const answers = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status, () => undefined)

  it('start returns when the server is ready, prints its variables, and adds them to a file; stop ends it and removes its data', async () => {
    variables['npm_lifecycle_script'] = 'mayfly start' // of npx, whose shell ends before the server
    const file = join(parent, 'env')
    await writeFile(file, 'FIRST=1\n')
    const { code, stdout, stderr } = await run('start', '--detach', '--write-env', file, '--wait', '20s')
    expect([code, stderr]).to.deep.equal([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => /^export (\w+)=\S+$/.exec(line)?.[1]))
      .to.deep.equal(['MAYFLY_BASE_URL', 'MAYFLY_API_KEY', 'SMTP_URL', 'SMTP_HOST', 'SMTP_PORT'])
    expect(await readFile(file, 'utf8')).to.equal(`FIRST=1\n${lines.map((line) => line.replace('export ', '')).join('\n')}\n`)
    const url = lines[0]!.split('=')[1]!
    await setTimeout(500) // within which a process that follows its parent would have ended
    expect(await answers(url)).to.equal(200)
    expect((await stat(join(folder, 'mayfly.json'))).mode & 0o77).to.equal(0)
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).to.equal('*\n')

    const second = await run('start')
    expect([second.code, second.stdout]).to.deep.equal([1, ''])
    expect(second.stderr).to.match(/^mayfly: a server runs in \S+ already, process \d+ at http:\S+ "mayfly stop" ends it\.\n$/)
    expect(await answers(url)).to.equal(200)

    expect(await run('stop')).to.include({ code: 0, stdout: '' })
    expect(await answers(url)).to.equal(undefined)
    expect((await readdir(parent)).sort()).to.deep.equal(['env'])
    expect(await run('stop')).to.deep.equal({ code: 0, stdout: '', stderr: `mayfly: no server runs in ${folder}\n` })
  })

  it('start takes ports, stop --keep keeps the mails; other files of the folder stay', async () => {
    await mkdir(folder)
    await writeFile(join(folder, 'notes'), '')
    const { variables: { MAYFLY_BASE_URL, MAYFLY_API_KEY }, pid } = await startJson()
    const { code, stdout } = await mayfly(['email', 'send', '--from', 'app', '--to', 'app@mail.localhost', '--subject', 'One', '--text', '1'], {
      MAYFLY_BASE_URL: MAYFLY_BASE_URL!, MAYFLY_API_KEY: MAYFLY_API_KEY!,
    })
    expect(code, stdout).to.equal(0)
    const kept = join(parent, 'kept')
    expect(JSON.parse((await run('stop', '--keep', kept, '--json')).stdout)).to.deep.equal({ stopped: pid })
    expect(await readdir(kept)).to.include('emails.json').and.have.length.above(1)
    expect(await readdir(folder)).to.deep.equal(['notes'])

    const port = new URL(MAYFLY_BASE_URL!).port // free now
    const again = JSON.parse((await run('start', '--http-port', port, '--json')).stdout)
    expect(again.variables.MAYFLY_BASE_URL).to.equal(MAYFLY_BASE_URL)
    expect(again.variables.MAYFLY_API_KEY).to.not.equal(MAYFLY_API_KEY)
  })

  it('a server that was killed is in the way of none', async () => {
    const { pid } = await startJson()
    process.kill(pid, 'SIGKILL')
    while (await run('stop').then(({ stderr }) => !stderr.includes('no server'))) await setTimeout(50)
    const { pid: second } = await startJson()
    process.kill(second, 'SIGKILL')
    await setTimeout(300)
    const { pid: third } = await startJson()
    // the process of another program that has got the number
    const state = join(folder, 'mayfly.json')
    await writeFile(state, JSON.stringify({ ...JSON.parse(await readFile(state, 'utf8')), pid: process.pid }))
    process.kill(third, 'SIGKILL')
    await setTimeout(300)
    expect((await run('stop')).stderr).to.match(/no server runs/)
  })

  it('of two starts at once in a folder, one has the server, the other says so', async () => {
    for (const isAfterKill of [false, true]) {
      const outcomes = await Promise.all([run('start', '--json'), run('start', '--json')])
      const [first, second] = outcomes.sort((a, b) => a.code! - b.code!)
      expect([first.code, first.stderr, second.code, second.stdout], second.stderr).to.deep.equal([0, '', 1, ''])
      expect(second.stderr).to.match(/^mayfly: a server (starts|runs) in \S+ already, process \d+.*\. "mayfly stop" ends it\.\n$/)
      const { pid, variables: { MAYFLY_BASE_URL } } = JSON.parse(first.stdout)
      expect(await answers(MAYFLY_BASE_URL)).to.equal(200)
      if (isAfterKill) continue
      process.kill(pid, 'SIGKILL')
      while (await answers(MAYFLY_BASE_URL)) await setTimeout(50)
    }
  })

  for (const [when, file] of [['at once', 'mayfly.json'], ['as it makes the database', 'mayfly.db-server'], ['once it has a database', 'mayfly.db']] as const) {
    it(`stop ends the server of a start that was killed ${when}, and a second start waits for that`, async () => {
      await using killed = start(['start', '--folder', folder], variables)
      while (!existsSync(join(folder, file))) await setTimeout(5)
      if (file === 'mayfly.json') await setTimeout(100)
      await killed.stop('SIGKILL')
      const { pid } = JSON.parse(await readFile(join(folder, 'mayfly.json'), 'utf8'))
      expect(isAlive(pid)).to.equal(true)
      expect((await run('start')).stderr).to.match(new RegExp(`^mayfly: a server (starts|runs) in \\S+ already, process ${pid}\\.`))
      const kept = await run('stop', '--keep', join(parent, 'kept'))
      expect(kept).to.deep.equal({ code: 1, stdout: '', stderr: `mayfly: the server in ${folder} has not told its key, so its mails cannot be kept. `
        + '"mayfly stop" without --keep ends it.\n' })
      expect(JSON.parse((await run('stop', '--json')).stdout)).to.deep.equal({ stopped: pid })
      expect(await readdir(parent)).to.deep.equal([])
      for (let left = 100; isAlive(pid) && left > 0; left--) await setTimeout(50)
      expect(isAlive(pid)).to.equal(false)
    })
  }

  it('stop ends a server whose mayfly.json is gone, by the lock of its database; start leaves its files', async function () {
    if (process.platform !== 'linux') this.skip() // only there the lock tells the process
    await mkdir(folder)
    await using server = await serve({ MAYFLY_DATABASE: join(folder, 'mayfly.db') })
    const second = await run('start')
    expect([second.code, second.stderr]).to.deep.equal([1, `mayfly: a server runs in ${folder} already, process ${server.pid}. "mayfly stop" ends it.\n`])
    expect(await readdir(folder)).to.include('mayfly.db').and.not.include('mayfly.json')
    expect(JSON.parse((await run('stop', '--json')).stdout)).to.deep.equal({ stopped: server.pid })
    expect(await readdir(parent)).to.deep.equal([])
  })

  it('start takes a folder whose start was killed before it had a server, once the time is over', async () => {
    await mkdir(folder)
    const claim = (startsUntil: number) => writeFile(join(folder, 'mayfly.json'), JSON.stringify({ pid: process.pid, startsUntil }))
    await claim(Date.now() + 60_000)
    expect((await run('start')).stderr).to.include(`a server starts in ${folder} already, process ${process.pid}.`)
    await claim(Date.now() - 1)
    expect((await startJson()).pid).to.not.equal(process.pid)
  })

  it('start leaves nothing when the server cannot start', async () => {
    variables['MAYFLY_LOG_LEVEL'] = 'loud'
    const { code, stderr } = await run('start')
    expect([code, stderr]).to.match(/^1,mayfly: The server could not start:\nmayfly: MAYFLY_LOG_LEVEL/)
    expect(await readdir(parent)).to.deep.equal([])
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
