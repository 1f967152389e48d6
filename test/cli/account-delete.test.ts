import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { openDatabaseFile } from '../support/store/database-files.ts'
import { hasTerminal, mayfly, serve, startOnTerminal } from './run.ts'

describe('CLI: account delete', function () {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-cli-')) })
  afterEach(() => rm(folder, { recursive: true }))

  const file = () => join(folder, 'mayfly.db')
  const run = (...args: string[]) => mayfly(args, { MAYFLY_DATABASE: file() })
  const create = async (email: string) => JSON.parse((await run('account', 'create', '--email', email, '--json')).stdout)
  const emails = async () => JSON.parse((await run('account', 'list', '--json')).stdout).map(({ email }: { email: string }) => email)

  /** Waits until the server has removed all accounts but these. */
  async function untilAccounts(count: number) {
    using database = openDatabaseFile(file())
    for (const until = Date.now() + 10_000; database.count('accounts') > count && Date.now() < until;) await pass(20)
    expect(database.count('accounts')).to.equal(count)
  }

  it('needs --yes without a terminal, and an account that is there', async () => {
    await create('ada@example.org')
    const deletion = (...args: string[]) => run('account', 'delete', ...args)
    expect(await deletion('ada@example.org')).to.deep.equal({
      code: 1, stdout: '', stderr: 'mayfly: --yes: without a terminal, a deletion is confirmed by this option.\n',
    })
    expect(await deletion('grace@example.org', '--yes')).to.deep.equal({
      code: 1, stdout: '',
      stderr: 'mayfly: There is no account grace@example.org. "mayfly account list" shows the e-mail addresses of the accounts.\n',
    })
    expect((await deletion('--yes')).stderr).to.include("missing required argument 'email'")
    expect((await deletion('--help')).stdout).to.include('\nExamples:\n  ').and.to.include('mayfly account delete')
    expect(await emails()).to.deep.equal(['ada@example.org'])
    await rm(file())
    expect((await deletion('ada@example.org', '--yes')).stderr).to.include('MAYFLY_DATABASE: there is no file')
  })

  it('deletes an account, whose e-mail address is free again, and says when none is left', async () => {
    const { id } = await create('ada@example.org')
    await create('grace@example.org')
    await run('key', 'create', '--account', 'ada@example.org', '--name', 'ci')
    const { code, stdout, stderr } = await run('account', 'delete', 'Ada@Example.org', '--yes', '--json')
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(JSON.parse(stdout)).to.include({ id, email: 'ada@example.org', plan: 'business', isLast: false })
    expect(await emails()).to.deep.equal(['grace@example.org'])
    expect((await run('key', 'list', '--json')).stdout).to.equal('[]\n')
    expect((await run('account', 'plan', '--email', 'ada@example.org', '--plan', 'pro')).stderr).to.include('There is no account ada@example.org.')
    expect((await run('key', 'create', '--account', id, '--name', 'ci')).stderr).to.include(`There is no account ${id}.`)
    expect((await create('ada@example.org')).id).to.not.equal(id)
    for (const [email, last] of [['ada@example.org', ''], ['grace@example.org', 'No account is left. "mayfly serve" makes an owner account with a ' +
      'new key at its next start; "mayfly account create" makes one now.\n']] as const) {
      expect(await run('account', 'delete', email, '--yes')).to.deep.equal({
        code: 0, stdout: `deleted account ${email}; the server removes its data when it runs next\n`, stderr: last,
      })
    }
  })

  it('asks on a terminal for the e-mail address', async function () {
    if (!hasTerminal()) this.skip()
    await create('ada@example.org')
    const answer = async (text: string) => {
      await using asking = startOnTerminal(['account', 'delete', 'ada@example.org'], { HOME: folder, MAYFLY_DATABASE: file() })
      await asking.says('stdout', /deletes the account ada@example\.org with all its mail.*confirm: /s)
      asking.child.stdin.write(text)
      return await asking.ended
    }
    const wrong = await answer('ada\r')
    expect(wrong.stdout).to.include('This is not the e-mail address of the account: nothing was deleted.')
    expect(wrong.code).to.equal(1)
    expect((await answer('\x03')).code).to.equal(130)
    expect(await emails()).to.deep.equal(['ada@example.org'])
    const right = await answer('Ada@example.org\r')
    expect(right.stdout).to.include('deleted account ada@example.org;')
    expect(right.code).to.equal(0)
    expect(await emails()).to.deep.equal([])
  })

  it('takes effect in a running server at once, which removes the data', async () => {
    await using served = await serve({ MAYFLY_DATABASE: file(), MAYFLY_LOG_LEVEL: 'silent' })
    const [, url] = /listening http=(\S+) smtp=/.exec(served.lines.at(-1)!)!
    await create('ada@example.org')
    const key = (await run('key', 'create', '--account', 'ada@example.org', '--name', 'ci')).stdout.trim()
    const post = async () => (await fetch(`${url}/api/v1/addresses`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })).status
    expect(await post()).to.equal(201)
    expect((await run('account', 'delete', 'ada@example.org', '--yes')).stdout)
      .to.equal('deleted account ada@example.org; the server removes its data in the background\n')
    expect(await post()).to.equal(401)
    await untilAccounts(1)
    using database = openDatabaseFile(file())
    expect([database.count('addresses'), database.count('audit_logs'), database.countEvents()]).to.deep.equal([0, 0, 0])
    expect((await served.stop()).code).to.equal(0)
  })

  it('of the last account makes the next start make an owner account, also with the same MAYFLY_INITIAL_API_KEY', async () => {
    const { key } = JSON.parse((await run('key', 'generate', '--json')).stdout)
    const variables = { MAYFLY_DATABASE: file(), MAYFLY_LOG_LEVEL: 'silent', MAYFLY_INITIAL_API_KEY: key }
    const created = 'account owner@mail.localhost (Business), its API key is that of MAYFLY_INITIAL_API_KEY'
    const list = async (url: string) => {
      const answer = await fetch(`${url}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })
      return [answer.status, (await answer.json() as { data?: { total: number } }).data?.total]
    }
    const urlIn = (lines: string[]) => /listening http=(\S+) smtp=/.exec(lines.at(-1)!)![1]!
    const first = await serve(variables)
    expect(first.lines[0]).to.equal(created)
    await fetch(`${urlIn(first.lines)}/api/v1/addresses`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
    expect(await list(urlIn(first.lines))).to.deep.equal([200, 1])
    await first.stop()
    await run('account', 'delete', 'owner@mail.localhost', '--yes')
    await using second = await serve(variables)
    expect(second.lines[0]).to.equal(created)
    expect(await list(urlIn(second.lines))).to.deep.equal([200, 0])
    await untilAccounts(1)
    expect(await list(urlIn(second.lines))).to.deep.equal([200, 0])
  })
})
