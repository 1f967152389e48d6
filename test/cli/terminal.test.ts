import { expect } from 'chai'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { addForward } from '../support/store/outgoing.ts'
import { hasTerminal, startOnTerminal } from './run.ts'

describe('CLI: on a terminal', function () {
  let app: TestApp
  let home: string
  before(async function () {
    if (!hasTerminal()) this.skip()
    app = await openTestApp({ isRealTime: true })
    home = await mkdtemp(join(tmpdir(), 'mayfly-terminal-'))
    await app.newAddress({ alias: 'shown' })
  })
  after(async () => {
    await app?.[Symbol.asyncDispose]()
    if (home) await rm(home, { recursive: true })
  })

  const variables = () => ({ HOME: home, MAYFLY_API_KEY: app.key, MAYFLY_BASE_URL: app.url })

  it('prints the header of a table in bold, unless NO_COLOR is set', async () => {
    const [coloured, plain] = await Promise.all([
      startOnTerminal(['address', 'list'], variables()).ended, startOnTerminal(['address', 'list'], { ...variables(), NO_COLOR: '1' }).ended,
    ])
    expect(coloured.stdout).to.match(/^\x1b\[1mADDRESS .* ID\x1b\[22m\r\nshown@mail\.localhost .*\r\n$/)
    expect(plain.stdout).to.match(/^ADDRESS .* ID\r\nshown@mail\.localhost .*\r\n$/)
  })

  it('has lists within 100 columns, of short ids that commands take, and whole values with --wide', async () => {
    for (let i = 0; i < 3; i++) await app.newAddress({})
    const { address, id: addressId } = await app.newAddress({ alias: 'a-rather-long-name-of-an-address' })
    await app.send({ to: address, subject: `Your order of ${'very many '.repeat(10)}things`, text: 'x' })
    await app.settled()
    const { id } = await app.onlyEmail(addressId)
    const { body } = await app.api('POST', '/webhooks', { body: { url: `https://ci.example.com/${'hooks/'.repeat(12)}`, events: ['email.received'] } })
    const webhook = String(body.id ?? body.data.id)
    const mine = { ...variables(), MAYFLY_DATABASE: join(app.folder, 'mayfly.db'), NO_COLOR: '1' }
    const run = async (...args: string[]) => (await startOnTerminal(args, mine, { columns: 100 }).ended).stdout
    const lists = await Promise.all(['address list', 'email list', `inbox list ${addressId}`, 'webhook list', `webhook deliveries ${webhook}`, 'audit', 'key list', 'account list']
      .map((command) => run(...command.split(' '))))
    for (const [i, text] of lists.entries()) {
      const lines = text.split('\r\n')
      expect(lines[0], text).to.match(/^[A-Z]+( +[A-Z→ ]+)*$/) // the head of a table
      expect(Math.max(...lines.map(({ length }) => length)), text).to.be.at.most(100)
      if (i < 6) expect(text).to.not.match(/[0-9a-f]{4}-7[0-9a-f]{3}-|\dT\d\d:/)
    }
    expect(lists[0]).to.match(/ in \d+ d /)
    expect(lists[1]).to.match(new RegExp(`^${id.slice(-8)}  \\d\\d:\\d\\d  received .*Your order of .*…`, 'm'))
    expect(await run('email', 'show', id.slice(-8))).to.include('Your order of very many')
    expect(await run('webhook', 'show', webhook.slice(-8))).to.include('https://ci.example.com/hooks/')
    expect(await run('email', 'list', '--after', id.slice(-8))).to.not.include('Your order')
    expect(await run('email', 'list', '--wide')).to.include(id).and.to.match(/very many things/)
  })

  it('shows a spinner during a wait, and clears it before the code; Ctrl-C ends it', async () => {
    await using waiting = startOnTerminal(['inbox', 'wait', 'shown'], variables())
    await using ended = startOnTerminal(['inbox', 'wait', 'shown', '--subject', 'never'], variables())
    await Promise.all([waiting, ended].map((one) => one.says('stdout', /Waiting for mail .*to shown@mail\.localhost {2}\d\d s left/)))
    await waiting.says('stdout', /2[0-8] s left/)
    ended.child.stdin.write('\x03')
    expect((await ended.ended).code).to.equal(130)
    await app.send({ to: 'shown@mail.localhost', subject: 'Code', text: 'Your code is 482913.' })
    const { code, stdout } = await waiting.ended
    expect(code).to.equal(0)
    expect(stdout.endsWith('s left\r\x1b[K482913\r\n'), JSON.stringify(stdout.slice(-80))).to.equal(true)
  })

  it('doctor has groups, colours, and no line wider than the terminal', async () => {
    const { stdout } = await startOnTerminal(['doctor'], { HOME: home, MAYFLY_HTTP_PORT: '0', MAYFLY_SMPT_PORT: '1' }, { columns: 100 }).ended
    const plain = stdout.replaceAll(/\x1b\[\d+m/g, '').split('\r\n')
    expect(plain.filter((line) => /^\S/.test(line)).slice(0, -1)).to.deep.equal(['Settings', 'Machine', 'Ports', 'Mail and DNS'])
    expect(Math.max(...plain.map(({ length }) => length))).to.be.at.most(100)
    expect(stdout).to.include('\x1b[1mSettings\x1b[22m').and.to.match(/\x1b\[33mwarning\x1b\[39m .*variables.*MAYFLY_SMPT_PORT/)
    expect(plain.find((line) => line.includes('  defaults'))).to.match(/^ {2}ok {7}defaults +MAYFLY_/)
  })

  it('--help says where to start', async () => {
    expect((await startOnTerminal(['--help'], { HOME: home }, { columns: 80 }).ended).stdout)
      .to.match(/\r\nStart here:\r\n {2}mayfly serve .*\r\n.*\r\n {2}mayfly address create --alias first {2}then .*\r\n {2}mayfly inbox wait first .*\r\n\r\n/)
  })

  it('shows the source of outgoing mail without control characters', async () => {
    const { id: addressId, address } = await app.newAddress()
    await app.send({ raw: 'From: a@example.org\r\nSubject: \x1b]0;owned\x07red\r\n\r\n\x1b[2Jgone\r\n', envelope: { from: 'a@example.org', to: [address] } })
    await app.settled()
    const email = await app.onlyEmail(addressId)
    const id = await addForward(app, email.id, 'me@example.net')
    const { code, stdout } = await startOnTerminal(['outbox', 'show', id, '--raw'], { HOME: home, MAYFLY_DATABASE: join(app.folder, 'mayfly.db') }).ended
    expect(code).to.equal(0)
    expect(stdout).to.include('Subject: ]0;ownedred\r\n').and.include('[2Jgone').and.to.not.match(/[\x07\x1b]/)
  })

  it('asks for URL and key, and does not show the key', async () => {
    await using asking = startOnTerminal(['login'], { HOME: home })
    await asking.says('stdout', /^URL of the server \[http:\/\/localhost:3000\] /)
    asking.child.stdin.write(`${app.url}\r`)
    await asking.says('stdout', /API key \(input is hidden\) /)
    asking.child.stdin.write(`${app.key}\r`)
    const { code, stdout } = await asking.ended
    expect(code).to.equal(0)
    expect(stdout).to.match(/\r\nlogged in to http:\S+; the key is in \S+config\.json\r\n$/).and.to.not.include(app.key)
    expect(JSON.parse(await readFile(join(home, '.config', 'mayfly', 'config.json'), 'utf8'))).to.deep.equal({ baseUrl: app.url, apiKey: app.key })
    await using refusing = startOnTerminal(['login', '--url', app.url], { HOME: home })
    await refusing.says('stdout', /API key/)
    refusing.child.stdin.write('svc_live_\x03')
    expect((await refusing.ended).code).to.equal(130)
  })
})
