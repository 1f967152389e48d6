import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smtpLimits } from '../../server/smtp/limits.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'
import { hasTerminal, mayfly, serve, start, startOnTerminal } from './run.ts'
import type { Served, Started, Variables } from './run.ts'

describe('CLI: tail', function () {
  let folder: string
  let variables: Variables
  let served: Served
  let url: string
  let smtp: { host: string, port: number }
  let key: string
  let addressId: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-tail-'))
    variables = { MAYFLY_DATABASE: join(folder, 'mayfly.db') }
    await writeFile(`${variables['MAYFLY_DATABASE']}-tail`, '') // as a killed server leaves it
    served = await serve({ ...variables, MAYFLY_LOG_LEVEL: 'silent' })
    key = /: (svc_live_\w+)$/.exec(served.lines[0]!)![1]!
    const [, http, port] = /http=(\S+) smtp=\S+:(\d+)/.exec(served.lines[1]!)!
    url = http!
    smtp = { host: '127.0.0.1', port: Number(port) }
    await api('/addresses', { alias: 'two' })
    const { data } = await (await api('/addresses', { alias: 'one' })).json() as { data: { id: string } }
    addressId = data.id
  })
  after(async () => {
    await served?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const api = (path: string, body: object) => fetch(`${url}/api/v1${path}`, {
    method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify(body),
  })

  const refuse = (alias: string) =>
    playSession(smtp, [['EHLO c', 250], ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${alias}@mail.localhost>`, 550]])

  async function follow(...args: string[]): Promise<Started> {
    const tail = start(['tail', ...args], variables)
    await tail.says('stderr', /Following/)
    return tail
  }

  it('shows mail that is accepted, refused and delivered, while it happens', async () => {
    await using tail = await follow()
    await sendRaw(smtp.port, 'one+tag@mail.localhost', 'Subject: secret\r\n\r\nsecret\r\n', 'shop@example.org')
    await tail.says('stdout', /^[\d:.]{12}  accepted  shop@example\.org → one\+tag@mail\.localhost 27 bytes from 127\.0\.0\.1 [\d.]+ ms [0-9a-f-]{36}$/m)
    await refuse('none')
    await tail.says('stdout', /^[\d:.]{12}  refused   shop@example\.org → none@mail\.localhost 550 No such address here from 127\.0\.0\.1 [\d.]+ ms$/m)
    await api('/emails', { fromAddressId: addressId, to: 'ada@example.org', subject: 'x', body: 'x' })
    await tail.says('stdout', /^[\d:.]{12}  delivered ada@example\.org captured [\d.]+ ms [0-9a-f-]{36}$/m)
    const { code, stdout } = await tail.stop('SIGINT')
    expect(code).to.equal(130)
    expect(stdout).to.not.include('secret')
  })

  it('names the sender of a MAIL that is refused, and none of a connection that is refused', async () => {
    await using tail = await follow()
    await playSession(smtp, [['EHLO c', 250], ['MAIL FROM:<shop@x!y>', 553], ['MAIL FROM:<shop@example.org> SIZE=99999999', 552]])
    await tail.says('stdout', /refused   shop@x!y → 553 The sender is not a mailbox from [^]*refused   shop@example\.org → 552 /)
    const sessions = await Promise.all(Array.from({ length: smtpLimits.connectionsPerAddress }, () => openSession(smtp)))
    await openSession(smtp)
    await tail.says('stdout', /^[\d:.]{12}  refused   421 Too many connections from your address from 127\.0\.0\.1 /m)
    for (const session of sessions) await session[Symbol.asyncDispose]()
    await tail.stop('SIGINT')
  })

  it('has filters: by kind, by address, and refused alone', async () => {
    const tails = await Promise.all([follow('--kind', 'accepted', 'webhook'), follow('--address', 'TWO'), follow('--refused'), follow('--address', 'none@mail.localhost')])
    await sendRaw(smtp.port, 'one@mail.localhost', 'x\r\n')
    await sendRaw(smtp.port, 'two@mail.localhost', 'x\r\n')
    await refuse('none')
    await refuse('other')
    await sendRaw(smtp.port, 'two@mail.localhost', 'end\r\n')
    const shown = async (tail: Started, last: RegExp) => {
      await tail.says('stdout', last)
      const { stdout } = await tail.stop('SIGTERM')
      return [...stdout.matchAll(/^\S+  (\w+) .*→ (\w+)@/gm)].map(([, kind, alias]) => `${kind} ${alias}`)
    }
    const [byKind, byAddress, refused, byRefusedAddress] = tails
    expect(await shown(byKind, /two@[^]*two@/)).to.deep.equal(['accepted one', 'accepted two', 'accepted two'])
    expect(await shown(byAddress, /two@[^]*two@/)).to.deep.equal(['accepted two', 'accepted two'])
    expect(await shown(refused, /other@/)).to.deep.equal(['refused none', 'refused other'])
    expect(await shown(byRefusedAddress, /none@/)).to.deep.equal(['refused none'])
  })

  it('prints one JSON document per line with --json', async () => {
    await using tail = start(['tail', '--json'], variables)
    let hasLine = false
    void tail.says('stdout', /\n/).then(() => { hasLine = true })
    while (!hasLine) await sendRaw(smtp.port, 'one@mail.localhost', 'x\r\n')
    const { stdout, stderr } = await tail.stop('SIGTERM')
    const [line] = stdout.trimEnd().split('\n').map((text) => JSON.parse(text))
    expect(line).to.deep.include({ kind: 'accepted', from: 'a@example.org', addresses: ['one@mail.localhost'], bytes: 3, tls: false })
    expect(Date.now() - Date.parse(line.at)).to.be.within(0, 60_000)
    expect(stderr).to.equal('')
  })

  it('is for the user of the server alone, and for 16 readers', async function () {
    if (process.platform === 'win32') return this.skip()
    const path = `${variables['MAYFLY_DATABASE']}-tail`
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    const sockets: Socket[] = []
    for (let i = 0; i < 16; i++) {
      sockets.push(connect(path))
      await once(sockets[i]!, 'connect')
    }
    const { code, stderr } = await mayfly(['tail'], variables)
    expect([code, stderr]).to.deep.equal([1, 'Following the server. Ctrl-C ends this.\nmayfly: The connection has ended: the server was stopped, or it has 16 readers, or this one was too slow.\n'])
    for (const socket of sockets) socket.destroy()
  })

  it('ends with 1 when the server stops, and names the variable when none runs', async () => {
    const other = { MAYFLY_DATABASE: join(folder, 'other.db') }
    const server = await serve(other)
    await using tail = start(['tail'], other)
    await tail.says('stderr', /Following/)
    expect((await server.stop()).code).to.equal(0)
    expect((await tail.ended).code).to.equal(1)
    const { code, stderr } = await mayfly(['tail'], other)
    expect([code, stderr]).to.deep.equal([
      1, `mayfly: MAYFLY_DATABASE: no server runs on ${other.MAYFLY_DATABASE}. Run this in the folder of the server, with its variables.\n`,
    ])
  })

  it('log: readable and coloured on a terminal, without control characters of others; JSON elsewhere', async function () {
    if (!hasTerminal()) return this.skip()
    const ports = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_LOG_LEVEL: 'debug' }
    await using terminal = startOnTerminal(['serve', '--json'], { MAYFLY_DATABASE: join(folder, 'terminal.db'), ...ports })
    const [, http] = await terminal.says('stdout', /"http":"([^"]+)/)
    await fetch(`${http}/%1b[31mred%c2%9b`)
    const [line] = await terminal.says('stdout', /^.*request.*red.*$/m)
    expect(line).to.match(/\x1b\[32mINFO\x1b\[39m/).and.to.match(/"?status"?.*404/)
    expect(line).to.not.match(/\x1b\[31mred|\x9b/)
    await using plain = startOnTerminal(['serve', '--json'], { MAYFLY_DATABASE: join(folder, 'plain.db'), ...ports, NO_COLOR: '1' })
    await plain.says('stdout', /listening/)
    for (const { child } of [terminal, plain]) child.stdin.write('\x03')
    await terminal.ended
    expect((await plain.ended).stdout).to.match(/INFO: shutting down/).and.to.not.include('\x1b')
  })
})
