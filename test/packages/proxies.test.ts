import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '../cli/run.ts'
import { freePort } from './project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(root, 'test/cli/certificate', name))

/** The address from which the test connects: that of a client, as the proxy has another one. */
const client = '127.0.0.2'

/** A proxy with its file in `packaging/`, which is run with other ports and paths. */
interface Proxy {
  file: string
  program: string
  isTls: boolean
  /** @param server host and port of Mayfly @param port the port at which the proxy listens */
  adapt(file: string, values: { server: string, port: number, folder: string }): string
  args(path: string): string[]
}

const proxies: Proxy[] = [
  {
    file: 'nginx.conf', program: 'nginx', isTls: true,
    adapt(file, { server, port, folder }) {
      const site = file.replace(/\n\nserver \{\n {4}listen 80;[^]*$/, '\n') // without the redirection of port 80
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`).replace('    listen [::]:443 ssl;\n', '').replace('127.0.0.1:3000', server)
        .replace(/\/etc\/letsencrypt\/\S+fullchain\.pem/, cert!).replace(/\/etc\/letsencrypt\/\S+privkey\.pem/, key!)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
      return `daemon off;\nmaster_process off;\nerror_log stderr;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`
    },
    args: (path) => ['-c', path],
  },
  {
    file: 'Caddyfile', program: 'caddy', isTls: false, // Caddy would add a certificate authority to those of this machine
    adapt: (file, { server, port }) => file.replace('127.0.0.1:3000', server)
      .replace('mail.example.com {', `{\n\tadmin off\n\tauto_https off\n}\nhttp://localhost:${port} {\n\tbind 127.0.0.1`),
    args: (path) => ['run', '--config', path, '--adapter', 'caddyfile'],
  },
  {
    file: 'haproxy.cfg', program: 'haproxy', isTls: false,
    adapt: (file, { server, port }) => file.replace('bind :3000', `bind 127.0.0.1:${port}`).replaceAll(/node[12]:3000/g, server)
      .replace(/\nfrontend smtp[^]*$/, '\n'), // SMTP by the PROXY protocol: test/smtp/proxy.test.ts
    args: (path) => ['-db', '-f', path],
  },
]

describe('Packaging: reverse proxies', function () {
  let folder: string
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-proxies-')) })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  for (const { file, program, isTls, adapt, args } of proxies) {
    it(`${file}: passes on events at once and the address of the client, whatever headers it sends`, async function () {
      if (spawnSync(program, ['-v']).error) return this.skip() // `apt-get install nginx haproxy caddy`
      await using served = await serve({ MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_TRUSTED_PROXIES: '127.0.0.1' })
      const port = await freePort()
      const [, server] = /http=http:\/\/(\S+)/.exec(served.lines[1]!)!
      const [, apiKey] = /: (svc_live_\w+)$/.exec(served.lines[0]!)!
      const path = join(folder, file)
      writeFileSync(path, adapt(readFileSync(join(root, 'packaging', file), 'utf8'), { server: server!, port, folder }))
      const proxy = spawn(program, args(path), { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } })
      let said = ''
      proxy.stderr.on('data', (text) => { said += String(text) })
      try {
        await untilListening(port, () => { if (proxy.exitCode !== null) throw new Error(said) })
        const call = (path: string, headers: Record<string, string> = {}) => (isTls ? tlsRequest : plainRequest)({
          host: '127.0.0.1', localAddress: client, servername: 'localhost', port, path, rejectUnauthorized: false, agent: false,
          headers: { authorization: `Bearer ${apiKey}`, host: `localhost:${port}`, ...headers },
        })
        const stream = call('/api/v1/events').end()
        const [events] = await once(stream, 'response')
        await once(events, 'data') // a comment, which a buffer would keep
        stream.destroy()
        const forged: Record<string, string>[] = [{ forwarded: 'for=203.0.113.9' }, { forwarded: 'for=unknown' }, { forwarded: '' }, { 'x-forwarded-for': '203.0.113.9' }, { 'x-real-ip': '203.0.113.9' }]
        for (const [index, headers] of forged.entries()) {
          const [answer] = await once(call(`/api/v1/addresses?limit=${index + 1}`, headers).end(), 'response')
          answer.resume()
          expect([answer.statusCode, file]).to.deep.equal([200, file])
        }
        let seen: { ipAddress: string, action: string }[] = []
        while (seen.length < forged.length) { // records are written together, a tenth of a second later
          const [answer] = await once(call('/api/v1/audit-logs?limit=100').end(), 'response')
          seen = (JSON.parse(String(Buffer.concat(await answer.toArray()))) as { data: typeof seen }).data.filter(({ action }) => action === 'addresses.list')
        }
        expect(new Set(seen.map(({ ipAddress }) => ipAddress))).to.deep.equal(new Set([client]))
      } finally {
        proxy.kill('SIGKILL') // Caddy would wait for idle connections
        await once(proxy, 'exit')
      }
      await served.stop()
    })
  }
})

async function untilListening(port: number, check: () => void): Promise<void> {
  for (;;) {
    check()
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)))
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
