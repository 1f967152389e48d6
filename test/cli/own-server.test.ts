import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayfly, serve } from './run.ts'
import type { Served, Variables } from './run.ts'

describe('CLI: settings of one\'s own server', function () {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-own-')) })
  afterEach(() => rm(folder, { recursive: true }))
  const variables = (more: Variables = {}): Variables => ({ MAYFLY_DATABASE: join(folder, 'mayfly.db'), ...more })

  const urlOf = (served: Served) => /http=(\S+)/.exec(served.lines.at(-1)!)![1]!
  const get = (served: Served, key: string) => fetch(`${urlOf(served)}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })
  const messages = (stderr: string, level = 40) => stderr.trimEnd().split('\n').filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number, msg: string }).filter((line) => line.level === level).map(({ msg }) => msg)
  const json = async (...args: string[]) => JSON.parse((await mayfly([...args, '--json'], variables())).stdout)

  it('MAYFLY_INITIAL_API_KEY presets the first key, which is not printed', async () => {
    const { key } = await json('key', 'generate')
    const { key: other } = await json('key', 'generate', '--test')
    expect([key.slice(0, 9), other.slice(0, 9)]).to.deep.equal(['svc_live_', 'svc_test_'])
    await using first = await serve(variables({ MAYFLY_INITIAL_API_KEY: key }))
    expect(first.lines[0]).to.equal('account owner@mail.localhost (Business), its API key is that of MAYFLY_INITIAL_API_KEY')
    expect((await get(first, key)).status).to.equal(200)
    const { stdout, stderr } = await first.stop()
    expect(stdout + stderr).to.not.include(key)
    expect(messages(stderr)).to.deep.equal([])

    await using same = await serve(variables({ MAYFLY_INITIAL_API_KEY: key }))
    expect(messages((await same.stop()).stderr)).to.deep.equal([])
    await using differs = await serve(variables({ MAYFLY_INITIAL_API_KEY: other }))
    expect((await get(differs, other)).status).to.equal(401)
    expect(messages((await differs.stop()).stderr)).to.deep.equal([
      'MAYFLY_INITIAL_API_KEY: ignored, because this database has accounts, and this key is none of theirs, or revoked',
    ])
  })

  it('MAYFLY_INITIAL_API_KEY stops the start unless its checksum is right, without showing it', async () => {
    const { key } = await json('key', 'generate')
    const mistyped = key.slice(0, 12) + (key[12] === 'a' ? 'b' : 'a') + key.slice(13)
    for (const value of [mistyped, 'secret', key.slice(0, -1), `${key}1`]) {
      expect(await mayfly(['serve'], variables({ MAYFLY_INITIAL_API_KEY: value })), value).to.deep.equal({
        code: 1, stdout: '', stderr: 'mayfly: MAYFLY_INITIAL_API_KEY: is not an API key of Mayfly, or is mistyped: its checksum is wrong.'
          + ' "mayfly key generate" makes one\n',
      })
    }
  })

  it('MAYFLY_CONFIG names a file of variables; the environment wins', async () => {
    const file = join(folder, 'mayfly.env')
    await writeFile(file, [
      '# a comment', '', 'export MAYFLY_DEFAULT_DOMAIN="file.example.org"  # another', "MAYFLY_RATE_LIMIT='7'", 'MAYFLY_RETENTION_SECONDS = 60',
      'MAYFLY_LOG_LEVEL=silent', 'MAYFLY_SMTP_PROT=1', 'OTHER="two', 'lines"', '',
    ].join('\r\n'))
    await using served = await serve(variables({ MAYFLY_CONFIG: file, MAYFLY_LOG_LEVEL: 'info', MAYFLY_RETENTION_SECONDS: '' }))
    const [, key] = /^account owner@file\.example\.org .*: (svc_live_\w+)$/.exec(served.lines[0]!)!
    expect((await get(served, key!)).headers.get('x-ratelimit-limit')).to.equal('7')
    expect(messages((await served.stop()).stderr)).to.deep.equal([
      'MAYFLY_SMTP_PROT: unknown; did you mean MAYFLY_SMTP_PORT?', 'OTHER: unknown; it has no effect',
    ])
    const { stdout } = await mayfly(['key', 'list'], { MAYFLY_CONFIG: file, MAYFLY_DATABASE: join(folder, 'mayfly.db') })
    expect(stdout).to.include('owner@file.example.org')
  })

  for (const [text, sentence] of [
    ['MAYFLY_RATE_LIMIT=1\nsecret\n', ', line 2: is not NAME=value, nor a comment that begins with #'],
    ['MAYFLY_RATE_LIMIT: 1\n', ', line 1: is not NAME=value, nor a comment that begins with #'],
    ['\n\nMAYFLY_MX_HOST="secret\n', ', line 3: the quote " is not closed'],
    ['MAYFLY_CONFIG=other\n', ', line 1: MAYFLY_CONFIG has no effect in a file'],
    [null, ' is missing. Name a file with lines NAME=value, or unset the variable'],
  ] as const) {
    it(`MAYFLY_CONFIG stops the start: ${JSON.stringify(text)}`, async () => {
      const file = join(folder, 'mayfly.env')
      if (text !== null) await writeFile(file, text)
      const { code, stderr } = await mayfly(['serve'], variables({ MAYFLY_CONFIG: file }))
      expect([code, stderr]).to.deep.equal([1, `mayfly: MAYFLY_CONFIG: ${file}${sentence}\n`])
    })
  }

  it('MAYFLY_CONFIG: a wrong value in the file names its variable and its line', async () => {
    const file = join(folder, 'mayfly.env')
    await writeFile(file, 'MAYFLY_SMTP_PORT=1\n\nMAYFLY_HTTP_PORT=http\n')
    const { stderr } = await mayfly(['serve'], variables({ MAYFLY_CONFIG: file }))
    expect(stderr).to.equal(`mayfly: MAYFLY_HTTP_PORT (${file}, line 3): "http" is not a whole number from 0 to 65535\n`)
  })

  it('the 429 names the variable to the account of the operator alone; the first start says how to lift the limit', async () => {
    await using served = await serve(variables({ MAYFLY_RATE_LIMIT: '2' }))
    const [, key] = /: (svc_live_\w+)$/.exec(served.lines[0]!)!
    await json('account', 'create', '--email', 'guest@example.org')
    const { key: guest } = await json('key', 'create', '--account', 'guest@example.org', '--name', 'guest')
    const refusal = async (each: string) => {
      for (;;) {
        const answer = await get(served, each)
        if (answer.status === 429) return (await answer.json() as { error: string }).error
      }
    }
    expect(await refusal(key!)).to.match(/^More than 2 requests in a minute\. Try again in \d+ seconds\. MAYFLY_RATE_LIMIT sets this limit; 0 switches it off\.$/)
    expect(await refusal(guest)).to.match(/^More than 2 requests in a minute\. Try again in \d+ seconds\.$/)
    const { error } = await (await fetch(`${urlOf(served)}/api/v1/nowhere`)).json() as { error: string }
    expect(error).to.not.include('MAYFLY_')
    expect(messages((await served.stop()).stderr, 30)).to.include('An account may make 2 requests a minute. MAYFLY_RATE_LIMIT=0 lifts this limit.')

    await using unlimited = await serve(variables({ MAYFLY_RATE_LIMIT: '0' }))
    for (let i = 0; i < 150; i++) expect((await get(unlimited, key!)).status).to.equal(200)
  })

  it('account create makes a Business account; key create takes the only account, else lists them, and says when a plan has no API', async () => {
    expect((await json('account', 'create', '--email', 'a@example.org')).plan).to.equal('business')
    expect((await json('key', 'create', '--name', 'ci')).account).to.equal('a@example.org')
    await json('account', 'create', '--email', 'b@example.org', '--plan', 'free')
    expect((await mayfly(['key', 'create', '--name', 'ci'], variables())).stderr)
      .to.equal('mayfly: --account: choose one of the 2 accounts: a@example.org, b@example.org\n')
    const { code, stderr } = await mayfly(['key', 'create', '--account', 'b@example.org', '--name', 'ci'], variables())
    expect(code).to.equal(0)
    expect(stderr).to.match(/\nThe free plan of b@example\.org has no API: the key works after "mayfly account plan --email b@example\.org --plan business"\.\n$/)
  })

  it('key create says what binds a key, and when it ends', async () => {
    await json('account', 'create', '--email', 'a@example.org')
    const bounds = ['--address-prefix', 'ci-', '--max-addresses', '20', '--expires-in', '90d']
    const { stderr } = await mayfly(['key', 'create', '--name', 'bound', '--scope', 'emails:read', ...bounds], variables())
    expect(stderr).to.match(/^Keep it: it is not shown again\. Id \S+, scopes emails:read\. ci-\* {2}at most 20 {2}ends 20\d\d-\d\d-\d\dT\S+Z\n$/)
  })

  it('key list shows the beginning of each key, and when it was last used', async () => {
    await using served = await serve(variables())
    const [, key] = /: (svc_live_\w+)$/.exec(served.lines[0]!)!
    await json('key', 'create', '--name', 'unused', '--test')
    const begun = Date.now()
    for (let i = 0; i < 3; i++) await get(served, key!)
    expect((await served.stop()).code).to.equal(0)
    const [used, unused] = await json('key', 'list')
    expect([used.prefix, used.mode, unused.mode, unused.lastUsedAt]).to.deep.equal([key!.slice(0, 13), 'live', 'test', null])
    expect(Date.parse(used.lastUsedAt)).to.be.within(begun - 60_000, Date.now())
    const { stdout } = await mayfly(['key', 'list'], variables())
    expect(stdout).to.include(`${key!.slice(0, 13)}…`).and.include(used.lastUsedAt)
  })
})
