import { expect } from 'chai'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { mayfly } from './run.ts'

describe('CLI: login', function () {
  let app: TestApp
  let home: string
  before(async () => { app = await openTestApp() })
  beforeEach(async () => { home = await mkdtemp(join(tmpdir(), 'mayfly-login-')) })
  afterEach(() => rm(home, { recursive: true }))
  after(() => app[Symbol.asyncDispose]())

  const folder = () => join(home, '.config', 'mayfly')
  const file = () => join(folder(), 'config.json')
  const login = (key: string, ...args: string[]) => mayfly(['login', ...args], { HOME: home }, `${key}\n`)
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

  it('checks the key and stores it in a file that only the user can read; other commands use it, and logout removes it', async () => {
    await mkdir(folder(), { recursive: true })
    await chmod(folder(), 0o755)
    expect(await login(app.key, '--url', `${app.url}/`)).to.deep.equal({
      code: 0, stdout: `logged in to ${app.url}; the key is in ${file()}\n`, stderr: '',
    })
    expect([await modeOf(folder()), await modeOf(file()), await readdir(folder())]).to.deep.equal(['700', '600', ['config.json']])
    expect(JSON.parse(await readFile(file(), 'utf8'))).to.deep.equal({ baseUrl: app.url, apiKey: app.key })
    expect(await mayfly(['address', 'list', '--json'], { HOME: home })).to.deep.equal({ code: 0, stdout: '[]\n', stderr: '' })
    expect(await mayfly(['logout'], { HOME: home })).to.deep.equal({ code: 0, stdout: `removed ${file()}\n`, stderr: '' })
    expect(await readdir(folder())).to.deep.equal([])
    const [again, list] = await Promise.all([mayfly(['logout', '--json'], { HOME: home }), mayfly(['address', 'list'], { HOME: home })])
    expect(again).to.deep.equal({ code: 0, stdout: '{"loggedOut":false}\n', stderr: '' })
    expect([list.code, list.stderr]).to.deep.equal([1, 'mayfly: There is no API key. "mayfly login" stores one, or set MAYFLY_API_KEY.\n'])
  })

  it('does not store a key that the server refuses, and keeps the earlier one', async () => {
    const elsewhere = join(home, 'xdg')
    const revoked = `svc_live_${'x'.repeat(32)}`
    const variables = { HOME: home, XDG_CONFIG_HOME: elsewhere }
    const first = await mayfly(['login', '--url', app.url, '--key-stdin', '--json'], variables, app.key)
    expect(JSON.parse(first.stdout)).to.deep.equal({ baseUrl: app.url, file: join(elsewhere, 'mayfly', 'config.json') })
    const [refused, empty, closed] = await Promise.all([
      mayfly(['login'], variables, revoked), mayfly(['login'], variables, ' \n'), mayfly(['login', '--url', 'http://127.0.0.1:1'], variables, app.key),
    ])
    expect([refused.code, refused.stderr]).to.deep.equal([1, `mayfly: ${app.url} refused the API key. The API key is missing, malformed, unknown or revoked. `
      + '"mayfly login" stores another; MAYFLY_API_KEY overrides it.\n'])
    expect([empty.code, empty.stderr]).to.deep.equal([1, 'mayfly: There is no API key on stdin. On a terminal "mayfly login" asks for it.\n'])
    expect([closed.code, closed.stderr]).to.satisfy(([code, text]: [number, string]) => code === 1 && text.includes('There is no answer from http://127.0.0.1:1'))
    expect(JSON.parse(await readFile(join(elsewhere, 'mayfly', 'config.json'), 'utf8')).apiKey).to.equal(app.key)
    for (const { stderr } of [refused, empty, closed]) expect(stderr).to.not.include(revoked).and.to.not.include(app.key)
  })

  it('accepts a key without the scope to list addresses, and names the variables that override the login', async () => {
    const sender = await app.newKey({ scopes: ['emails:write'] })
    const { code, stderr } = await mayfly(['login', '--url', app.url], { HOME: home, MAYFLY_API_KEY: app.key }, sender)
    expect([code, stderr]).to.deep.equal([0, 'MAYFLY_API_KEY is set, and overrides the login.\n'])
    expect((await mayfly(['address', 'list', '--json'], { HOME: home, MAYFLY_API_KEY: app.key })).stdout).to.equal('[]\n')
  })

  it('does not send its key to another server', async () => {
    await login(app.key, '--url', app.url)
    await using other = await openTestApp()
    const { code, stdout, stderr } = await mayfly(['address', 'list', '--url', other.url], { HOME: home })
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.equal(`mayfly: There is no API key for ${other.url}: the login is for ${app.url}. `
      + `"mayfly login --url ${other.url}" changes it, or set MAYFLY_API_KEY.\n`)
    const same = await mayfly(['address', 'list', '--url', `${app.url}/`, '--json'], { HOME: home })
    expect(same).to.deep.equal({ code: 0, stdout: '[]\n', stderr: '' })
  })

  it('reports an invalid file', async () => {
    await mkdir(folder(), { recursive: true })
    await writeFile(file(), '{"apiKey":')
    const broken = await mayfly(['address', 'list'], { HOME: home })
    expect([broken.code, broken.stderr]).to.deep.equal([1, `mayfly: ${file()} is malformed. "mayfly login" writes it again, "mayfly logout" removes it.\n`])
    expect((await login(app.key, '--url', app.url)).code).to.equal(0)
  })
})
