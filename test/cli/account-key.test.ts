import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allScopes } from '../contract/requests.ts'
import { mayfly, serve } from './run.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('CLI: accounts and keys', function () {
  let folder: string
  before(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-cli-')) })
  after(() => rm(folder, { recursive: true }))

  /** Runs a command on the database of this test. */
  const run = (...args: string[]) => mayfly(args, { MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db') })
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect([code, stderr], args.join(' ')).to.deep.equal([0, ''])
    expect(stdout).to.match(/^[^\n]+\n$/)
    return JSON.parse(stdout)
  }

  it('create a missing database for an account only', async () => {
    for (const args of [['key', 'list'], ['key', 'create', '--account', 'ada@example.org', '--name', 'ci'], ['account', 'list'], ['outbox', 'list']]) {
      expect(await run(...args), args.join(' ')).to.deep.equal({
        code: 1, stdout: '',
        stderr: `mayfly: MAYFLY_DATABASE: there is no file ${join(folder, 'data', 'mayfly.db')}. Run this in the folder of the server, or name its file.\n`,
      })
    }
  })

  it('say that the database of an account is a new one', async () => {
    const other = join(folder, 'other.db')
    const { code, stderr } = await mayfly(['account', 'create', '--email', 'ada@example.org'], { MAYFLY_DATABASE: other })
    expect([code, stderr]).to.deep.equal([
      0, `It is in a new database, ${other}. For an account of a server that has another one, run this in its folder, or set MAYFLY_DATABASE.\n`,
    ])
  })

  it('have examples in their help', async () => {
    const commands = ['serve', 'mock', 'doctor', 'account create', 'account plan', 'account list', 'account sign-in', 'key create', 'key generate', 'key list', 'key revoke',
      'outbox list', 'outbox show']
    const helps = await Promise.all(commands.map((command) => run(...command.split(' '), '--help')))
    for (const [i, { stdout }] of helps.entries()) expect(stdout, commands[i]).to.include('\nExamples:\n  ').and.to.include(`mayfly ${commands[i]}`)
  })

  it('create accounts, list them and change their plan', async () => {
    const created = await json('account', 'create', '--email', 'Ada@Example.org', '--plan', 'free')
    expect(created).to.deep.equal({ id: created.id, email: 'ada@example.org', plan: 'free', createdAt: created.createdAt })
    expect(created.id).to.match(uuid)
    expect(Date.now() - Date.parse(created.createdAt)).to.be.within(0, 60_000)
    const text = await run('account', 'create', '--email', 'grace@example.org', '--plan', 'pro')
    expect(text).to.include({ code: 0, stderr: `It is in the database ${join(folder, 'data', 'mayfly.db')}.\n` })
    expect(text.stdout).to.match(/^account grace@example\.org, plan pro, id [0-9a-f-]{36}\n$/)
    expect((await json('account', 'plan', '--email', 'ADA@example.org', '--plan', 'business')).plan).to.equal('business')
    const [list, table] = await Promise.all([json('account', 'list'), run('account', 'list')])
    expect(list.map(({ email, plan }: { email: string, plan: string }) => [email, plan])).to.deep.equal([
      ['ada@example.org', 'business'], ['grace@example.org', 'pro'],
    ])
    expect(table.stdout.split('\n').map((line) => line.split(/ +/).slice(0, 2))).to.deep.equal([
      ['EMAIL', 'PLAN'], ['ada@example.org', 'business'], ['grace@example.org', 'pro'], [''],
    ])
  })

  it('create keys that are shown once, list and revoke them', async () => {
    const all = await json('key', 'create', '--account', 'Ada@example.org', '--name', 'all of it')
    const listed = {
      id: all.id, account: 'ada@example.org', name: 'all of it', mode: 'live', prefix: all.key.slice(0, 13),
      scopes: allScopes.filter((scope) => scope !== 'keys:manage'), bounds: null, createdByKeyId: null, expiresAt: null,
      createdAt: all.createdAt, lastUsedAt: null, dialect: 'primary', revokedAt: null,
    }
    expect(all).to.deep.equal({ ...listed, key: all.key })
    expect(all.key).to.match(/^svc_live_[0-9A-Za-z]{33}$/)
    const some = await json('key', 'create', '--account', 'ada@example.org', '--name', 'some', '--test', '--dialect', 'classic', '--scope', 'emails:read', '--scope', 'analytics:read')
    expect(some).to.include({ mode: 'test', dialect: 'classic' }).and.have.deep.property('scopes', ['emails:read', 'analytics:read'])
    expect(some.key).to.match(/^svc_test_[0-9A-Za-z]{33}$/)
    const [{ id: accountId }] = await json('account', 'list')
    const text = await run('key', 'create', '--account', accountId, '--name', 'by id', '--scope', 'emails:read', 'emails:write')
    const [, key] = /^(svc_live_[0-9A-Za-z]{33})\n$/.exec(text.stdout)!
    expect(text.stderr).to.match(/^Keep it: it is not shown again\. Id [0-9a-f-]{36}, scopes emails:read, emails:write\.\n$/)

    const [list, table] = await Promise.all([run('key', 'list', '--json'), run('key', 'list')])
    for (const { stdout } of [list, table]) {
      for (const shown of [all.key, some.key, key]) expect(stdout).to.not.include(shown)
      expect(stdout).to.not.match(/svc_(live|test)_\w{5}|hash|[0-9a-f]{64}/)
    }
    expect(JSON.parse(list.stdout)[0]).to.deep.equal(listed)
    expect(table.stdout.split('\n')).to.have.length(5)
    expect(table.stdout.split('\n').map((line) => / (DIALECT|primary|classic) /.exec(line)?.[1])).to.deep.equal(
      ['DIALECT', 'primary', 'classic', 'primary', undefined])
    expect((await run('key', 'create', '--name', 'x', '--dialect', 'modern')).stderr).to.include('Allowed choices are primary, classic.')

    const { revokedAt } = await json('key', 'revoke', all.id)
    expect(Date.now() - Date.parse(revokedAt)).to.be.within(0, 60_000)
    expect((await json('key', 'revoke', all.id)).revokedAt).to.equal(revokedAt)
    expect((await json('key', 'list')).map((row: { revokedAt: string | null }) => row.revokedAt)).to.deep.equal([revokedAt, null, null])
    expect((await run('key', 'revoke', some.id.slice(-8))).stdout).to.equal(`revoked some (${some.id})\n`)
  })

  it('take the address of an account in any form, and store it as sign-in links have it', async () => {
    expect(await json('account', 'create', '--email', 'Eve@MÜNCHEN.example', '--plan', 'free')).to.include({ email: 'eve@xn--mnchen-3ya.example' })
    for (const email of ['eve@münchen.example', '<Eve@xn--mnchen-3ya.example>']) {
      expect(await json('account', 'plan', '--email', email, '--plan', 'pro')).to.include({ email: 'eve@xn--mnchen-3ya.example', plan: 'pro' })
    }
    expect(await json('account', 'delete', 'eve@münchen.example', '--yes')).to.include({ email: 'eve@xn--mnchen-3ya.example' })
  })

  it('report errors in one sentence on stderr, and exit with 1', async () => {
    const refused: [string[], RegExp][] = [
      [['account', 'create', '--email', 'ada@example.org', '--plan', 'pro'], /^mayfly: ada@example\.org has an account already\.?\n$/],
      [['account', 'create', '--email', 'nonsense', '--plan', 'pro'], /^mayfly: "nonsense" is not an e-mail address\.\n$/],
      ...['<a@x.example', 'ß@x.example', 'ａda@x.example', '\u212Aa@x.example', `${'a'.repeat(90)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`]
        .map((email): [string[], RegExp] => [['account', 'create', '--email', email, '--plan', 'free'], /is not an e-mail address\.\n$/]),
      [['account', 'create', '--email', 'a@example.org', '--plan', 'gold'], /--plan .*'gold' is invalid\. Allowed choices are free, pro, business\./],
      [['account', 'plan', '--email', 'a@example.org'], /required option '--plan <plan>' not specified/],
      [['account', 'plan', '--email', 'nobody@example.org', '--plan', 'pro'], /^mayfly: There is no account nobody@example\.org\. /],
      [['key', 'create', '--account', 'nobody@example.org', '--name', 'x'], /^mayfly: There is no account nobody@example\.org\. /],
      [['key', 'create', '--account', 'ada@example.org', '--name', ' '], /^mayfly: A key needs a name of 1 to 100 characters\.\n$/],
      [['key', 'create', '--account', 'ada@example.org', '--name', 'x', '--scope', 'emails:delete'],
        new RegExp(`^mayfly: There is no scope emails:delete\\. Scopes are ${allScopes.join(', ')}\\.\n$`)],
      [['key', 'create', '--account', 'ada@example.org', '--name', 'x', '--scope', 'constructor', '--json'], /^mayfly: There is no scope constructor\. /],
      [['key', 'create', '--account', 'ada@example.org', '--name', 'x', '--scope'], /'--scope <scope\.\.\.>' argument missing/],
      [['key', 'revoke', '019c0000-0000-7000-8000-000000000000'], /^mayfly: There is no key with the id 019c0000-/],
      [['key', 'revoke', '019c'], /^mayfly: 019c is too short a part of an id for a change that cannot be undone\. Give 8 characters of it, or all\.\n/],
      [['key', 'revoke'], /missing required argument 'id'/],
      [['serve', 'now'], /too many arguments/],
      [['nonsense'], /unknown command 'nonsense'/],
      [['account', 'list', '--nonsense'], /unknown option '--nonsense'/],
    ]
    const keys = (await json('key', 'list')).length
    await Promise.all(refused.map(async ([args, sentence]) => {
      const { code, stdout, stderr } = await run(...args)
      expect(stderr).to.match(sentence)
      expect([code, stdout], args.join(' ')).to.deep.equal([1, ''])
    }))
    expect(await json('key', 'list')).to.have.length(keys)
  })

  it('sign in to the dashboard with a link that works once, also while the server runs', async () => {
    await json('account', 'create', '--email', 'signs-in@example.org')
    const text = await run('account', 'sign-in', 'Signs-in@example.org')
    expect(text).to.include({ code: 0, stderr: 'The link is valid for 15 minutes and works once.\n' +
      'For a server at another port, set its MAYFLY_HTTP_PORT or MAYFLY_BASE_URL for this command too.\n' })
    expect(text.stdout).to.match(/^http:\/\/localhost:3000\/sign-in#[\w-]{43}\n$/)
    const elsewhere = await mayfly(['account', 'sign-in', 'signs-in@example.org'], { MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db'), MAYFLY_HTTP_PORT: '3001' })
    expect(elsewhere.stderr).to.equal('The link is valid for 15 minutes and works once.\n')
    expect(elsewhere.stdout).to.match(/^http:\/\/localhost:3001\/sign-in#/)
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db'), MAYFLY_LOG_LEVEL: 'silent' })
    const [, url] = /listening http=(\S+) smtp=/.exec(served.lines.at(-1)!)!
    const shown = await run('account', 'sign-in', 'signs-in@example.org')
    expect(shown.stderr).to.equal('The link is valid for 15 minutes and works once.\n')
    expect(new URL(shown.stdout).port).to.equal(new URL(url!).port) // the server tells its URL
    const { url: link } = await json('account', 'sign-in', 'signs-in@example.org')
    const use = async () => {
      const body = JSON.stringify({ token: link.split('#')[1] })
      return (await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
    }
    expect([await use(), await use()]).to.deep.equal([201, 404])
    await served.stop()
  })

  it('refuse a link for an unknown account, and without the URL of the server', async () => {
    const unknown = await run('account', 'sign-in', 'unknown@example.org')
    expect([unknown.code, unknown.stdout]).to.deep.equal([1, ''])
    expect(unknown.stderr).to.match(/^mayfly: There is no account unknown@example\.org\. Create it with: mayfly account create --email unknown@example\.org/)
    const variables = { MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db'), MAYFLY_HTTP_PORT: '0' }
    expect((await mayfly(['account', 'sign-in', 'ada@example.org'], variables)).stderr)
      .to.equal('mayfly: MAYFLY_BASE_URL: is needed, because MAYFLY_HTTP_PORT is 0. Set it to the URL of the server.\n')
  })

  it('work while the server runs on the same database, and take effect there at once', async () => {
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db'), MAYFLY_LOG_LEVEL: 'silent' })
    const [, url] = /listening http=(\S+) smtp=/.exec(served.lines.at(-1)!)!
    await json('account', 'create', '--email', 'live@example.org', '--plan', 'business')
    const { key, id } = await json('key', 'create', '--account', 'live@example.org', '--name', 'used')
    const status = async () => (await fetch(`${url}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await status()).to.equal(200)
    await json('account', 'plan', '--email', 'live@example.org', '--plan', 'pro')
    expect(await status()).to.equal(403)
    await json('account', 'plan', '--email', 'live@example.org', '--plan', 'business')
    expect(await status()).to.equal(200)
    await json('key', 'revoke', id)
    expect(await status()).to.equal(401)
    expect((await served.stop()).code).to.equal(0)
  })

  it('revoke a key for all requests that begin after the command, while requests arrive without a pause', async () => {
    const variables = { MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db'), MAYFLY_LOG_LEVEL: 'silent', MAYFLY_RATE_LIMIT: '1000000' }
    await using served = await serve(variables)
    const [, url] = /listening http=(\S+) smtp=/.exec(served.lines.at(-1)!)!
    await json('account', 'create', '--email', 'busy@example.org', '--plan', 'business')
    const { key, id } = await json('key', 'create', '--account', 'busy@example.org', '--name', 'busy')
    const answers: { begunAt: number, status: number }[] = []
    let isOver = false
    const load = Promise.all(Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const begunAt = performance.now()
        const { status } = await fetch(`${url}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })
        answers.push({ begunAt, status })
      }
    }))
    await json('key', 'revoke', id)
    const [revokedAt, before] = [performance.now(), answers.length]
    while (answers.length < before + 100) await new Promise(setImmediate)
    isOver = true
    await load
    expect(answers[0]!.status).to.equal(200)
    const late = answers.filter(({ begunAt }) => begunAt > revokedAt).map(({ status }) => status)
    expect(late.length).to.be.greaterThan(90)
    expect(new Set(late)).to.deep.equal(new Set([401]))
  })
})
