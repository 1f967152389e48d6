import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { findNode20 } from '../packages/node-20.ts'
import { newPair, writePair } from '../support/certificates.ts'
import { noDns } from '../support/no-dns.ts'
import { hasTerminal, startOnTerminal } from './run.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

describe('CLI: SIGHUP', function () {
  this.timeout(180_000)
  let folder: string
  let variables: Record<string, string>
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-sighup-'))
    variables = {
      MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0',
      MAYFLY_DNS_SERVERS: await noDns(), ...await writePair(folder, await newPair()),
    }
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Written once by itself, and once for each SIGHUP: two of them show that the signal has come. */
  const keepsOld = /(the server keeps the certificate that it has[^]*){2}/
  const breakPair = async () => writePair(folder, { ...await newPair(), key: (await newPair()).key })

  for (const [name, node] of Object.entries({ 'Node 20, whose launcher forwards it': findNode20(), 'the current Node': process.execPath })) {
    it(`has the certificate read again, on ${name}`, async function () {
      if (!node) this.skip()
      const child = spawn(node, ['cli/mayfly.js', 'serve'], { cwd: checkout, env: { PATH: process.env['PATH']!, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] })
      try {
        let [stdout, stderr] = ['', '']
        child.stdout.on('data', (text) => { stdout += String(text) })
        child.stderr.on('data', (text) => { stderr += String(text) })
        while (!stdout.includes('listening')) await setTimeout(10)
        await breakPair()
        while (!keepsOld.test(stderr)) {
          expect(child.exitCode ?? child.signalCode, stderr).to.equal(null)
          child.kill('SIGHUP')
          await setTimeout(100)
        }
        child.kill('SIGTERM')
        const [code] = await once(child, 'close') as [number]
        expect(code).to.equal(0)
      } finally {
        child.kill('SIGKILL')
      }
    })
  }

  it('of a terminal that closes ends the server, any other one does not', async function () {
    if (!hasTerminal()) this.skip()
    await using served = startOnTerminal(['serve'], { ...variables, NO_COLOR: '1' }, { shell: (command) => `echo pid=$$; exec ${command}` })
    const pid = Number((await served.says('stdout', /pid=(\d+)/))[1])
    const port = Number((await served.says('stdout', /SMTP +\S*127\.0\.0\.1:(\d+)/))[1])
    await breakPair()
    let isOver = false
    const told = served.says('stdout', keepsOld).then(() => { isOver = true })
    while (!isOver) {
      process.kill(pid, 'SIGHUP')
      await setTimeout(100)
    }
    await told
    await served.stop('SIGKILL')
    for (;;) {
      const socket = connect(port, '127.0.0.1')
      const end = await once(socket, 'connect').then(() => 'connected', () => 'refused')
      socket.destroy()
      if (end === 'refused') break
      await setTimeout(20)
    }
  })
})
