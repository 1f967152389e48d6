import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayfly, serve } from './run.ts'

describe('CLI: health', function () {
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-health-')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('ends with 0 while a server is ready, named by its port, by MAYFLY_BASE_URL or by --url', async () => {
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'mayfly.db') })
    const [, url, port] = /http=(\S+:(\d+))/.exec(served.lines.at(-1)!)!
    const byPort = { MAYFLY_HTTP_PORT: port!, MAYFLY_BASE_URL: 'https://mail.example.com' }
    expect(await mayfly(['health'], byPort)).to.deep.equal({ code: 0, stdout: `ready: ${url}/readyz\n`, stderr: '' })
    expect((await mayfly(['health'], { ...byPort, MAYFLY_HTTP_HOST: '0.0.0.0' })).code).to.equal(0)
    expect((await mayfly(['health'], { MAYFLY_BASE_URL: url! })).code).to.equal(0)
    const { code, stdout } = await mayfly(['health', '--json', '--url', `${url}/`], {})
    expect([code, JSON.parse(stdout)]).to.deep.equal([0, { ok: true, url: `${url}/readyz`, reason: null }])
    await served.stop()
    const after = await mayfly(['health'], byPort)
    expect(after.code).to.equal(1)
    expect(after.stderr).to.match(/^mayfly: not ready: http:\S+\/readyz: .*ECONNREFUSED.*start one with "mayfly serve", or give the URL of another with --url\n$/)
  })

  it('ends with 1 and the reason when a server is not ready, also as JSON', async () => {
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'full.db'), MAYFLY_MIN_FREE_BYTES: String(2 ** 50) })
    const [, url] = /http=(\S+)/.exec(served.lines.at(-1)!)!
    const plain = await mayfly(['health', '--url', url!], {})
    expect(plain).to.include({ code: 1, stdout: '' })
    expect(plain.stderr).to.match(/: HTTP 503 .*low on disk space/)
    const { code, stdout } = await mayfly(['health', '--json', '--url', url!], {})
    expect([code, JSON.parse(stdout).ok]).to.deep.equal([1, false])
    await served.stop()
  })

  it('waits for a server that starts with --wait', async () => {
    const server = createServer((_req, res) => { res.statusCode = ++asked < 3 ? 503 : 200; res.end() }).listen(0, '127.0.0.1')
    let asked = 0
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect((await mayfly(['health', '--url', url, '--wait', '20s'], {})).code).to.equal(0)
    expect(asked).to.equal(3)
    server.close()
  })

  it('names the option or variable of a wrong URL, and of a port that is not known', async () => {
    expect((await mayfly(['health', '--url', 'mail.example.com'], {})).stderr).to.match(/--url: must be an http/)
    expect((await mayfly(['health'], { MAYFLY_HTTP_PORT: '0' })).stderr).to.match(/MAYFLY_HTTP_PORT: is 0.*--url/)
  })
})

describe('CLI: reports to systemd', function () {
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-notify-')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('sends READY, WATCHDOG and STOPPING by systemd-notify where NOTIFY_SOCKET is set', async () => {
    const seen = join(folder, 'seen')
    writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${seen}\n`)
    chmodSync(join(folder, 'systemd-notify'), 0o755)
    await using served = await serve({
      MAYFLY_DATABASE: join(folder, 'mayfly.db'), PATH: `${folder}:/usr/bin:/bin`, NOTIFY_SOCKET: '/run/fake', WATCHDOG_USEC: '200000',
    })
    await waitUntil(() => /WATCHDOG/.test(read(seen)))
    expect((await served.stop()).code).to.equal(0)
    await waitUntil(() => /STOPPING/.test(read(seen)))
    const lines = read(seen).trimEnd().split('\n')
    expect(lines[0]).to.match(/^\/run\/fake READY=1 STATUS=listening http=http:\S+ smtp=\S+$/)
    expect(lines).to.include('/run/fake WATCHDOG=1')
    expect(lines.at(-1)).to.equal('/run/fake STOPPING=1')
  })

  it('reaches a socket of the kind that systemd opens', async function () {
    const hasTools = ['python3', 'systemd-notify'].every((tool) => spawnSync(tool, ['--version']).status === 0)
    if (!hasTools) {
      console.log('      (no python3 or no systemd-notify on this machine: the socket itself is not tried)')
      return
    }
    const path = join(folder, 'socket')
    const receiver = spawn('python3', ['-u', '-c', `
import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(${JSON.stringify(path)})
print('bound')
while True:
    print(repr(s.recv(4096)))
`])
    try {
      let received = ''
      receiver.stdout.on('data', (text) => { received += String(text) })
      await waitUntil(() => received.includes('bound'))
      await using served = await serve({
        MAYFLY_DATABASE: join(folder, 'socket.db'), PATH: process.env['PATH']!, NOTIFY_SOCKET: path,
      })
      await waitUntil(() => received.includes('READY=1'))
      await served.stop()
      await waitUntil(() => received.includes('STOPPING=1'))
    } finally {
      receiver.kill()
    }
  })

  it('warns when systemd-notify is not installed, and serves', async () => {
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'without.db'), PATH: '/nonexistent', NOTIFY_SOCKET: '/run/fake' })
    const { code, stderr } = await served.stop()
    expect(code).to.equal(0)
    expect(stderr).to.match(/NOTIFY_SOCKET: systemd cannot be told.*systemd-notify is not installed/)
  })
})

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function waitUntil(isTrue: () => boolean) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20))
}
