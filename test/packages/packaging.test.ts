import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { mayfly, serve } from '../cli/run.ts'
import { readDockerfile } from './container.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isThere = (tool: string, option: string) => spawnSync(tool, [option]).status === 0

describe('Packaging', function () {
  this.timeout(60_000)
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-packaging-')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Expects that each variable is one of Mayfly, with a usable value. */
  async function expectUsable(variables: Record<string, string>) {
    const { stdout } = await mayfly(['doctor', '--json'], variables)
    const { checks } = JSON.parse(stdout) as { checks: { name: string, status: string, found: string }[] }
    expect(checks.filter(({ name }) => name === 'variables').map(({ status, found }) => [status, found.includes('can be used')])).to.deep.equal([['ok', true]])
  }

  it('Dockerfile: copies the executable as the process 1, with a volume for the database, ports and health check', async () => {
    const { source, target, copied, entrypoint, command, health, variables, volumes, ports } = readDockerfile()
    expect(source).to.equal('dist/mayfly-linux-x64') // test/packages/executable.test.ts runs this file
    expect(copied).to.deep.equal([source, `${source}.licences.txt`])
    expect([entrypoint, command, health]).to.deep.equal([[target], ['serve'], [target, 'health']])
    expect(variables['MAYFLY_DATABASE']!.startsWith(`${volumes[0]}/`)).to.equal(true)
    expect(ports).to.deep.equal(['3000', '2525'])
    expect(read('packaging/Dockerfile.dockerignore')).to.include('!dist/mayfly-linux-*')
    await expectUsable(Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('MAYFLY_'))))
  })

  it('compose.yaml: builds the Dockerfile, with its volume, its ports and its health check', async () => {
    const { services: { mayfly: service }, volumes } = parse(read('packaging/compose.yaml'))
    const { health, healthOptions, volumes: [folderOfData], ports } = readDockerfile()
    expect(service.build).to.deep.equal({ context: '..', dockerfile: 'packaging/Dockerfile' })
    expect(service.volumes).to.deep.equal([`data:${folderOfData}`])
    expect(volumes).to.have.property('data')
    expect(service.ports.map((port: string) => port.split(':').at(-1))).to.deep.equal(ports)
    const { test, ...options } = service.healthcheck
    expect(test).to.deep.equal(['CMD', ...health])
    expect({ ...options, retries: String(options.retries) }).to.deep.equal(healthOptions)
    await expectUsable(service.environment)
  })

  it('compose.postgres.yaml: two nodes with the same usable variables, a password in a file, and a balancer that they trust', async () => {
    const { services, secrets, networks } = parse(read('packaging/compose.postgres.yaml'), { merge: true })
    const { health, healthOptions, ports } = readDockerfile()
    const { node1, node2, balancer, database } = services
    expect(node2).to.deep.equal(node1)
    expect(node1.build).to.deep.equal({ context: '..', dockerfile: 'packaging/Dockerfile' })
    const { test, ...options } = node1.healthcheck
    expect(test).to.deep.equal(['CMD', ...health])
    expect({ ...options, retries: String(options.retries) }).to.deep.equal(healthOptions)
    expect(balancer.ports.map((port: string) => port.split(':').at(-1))).to.deep.equal(ports)
    expect(node1.environment['MAYFLY_TRUSTED_PROXIES']).to.equal(networks.default.ipam.config[0].subnet)
    const { pathname, username, hostname } = new URL(node1.environment['MAYFLY_DATABASE'])
    expect([username, hostname, pathname]).to.deep.equal([database.environment['POSTGRES_USER'], 'database', `/${database.environment['POSTGRES_DB']}`])
    const secret = Object.keys(secrets)[0]!
    for (const service of [node1, database]) expect(service.secrets).to.deep.equal([secret])
    for (const file of [node1.environment['MAYFLY_DATABASE_PASSWORD_FILE'], database.environment['POSTGRES_PASSWORD_FILE']]) expect(file).to.equal(`/run/secrets/${secret}`)
    writeFileSync(join(folder, 'password'), 'password')
    await expectUsable(Object.fromEntries(Object.entries({ ...node1.environment, MAYFLY_DATABASE_PASSWORD_FILE: join(folder, 'password') })
      .map(([name, value]) => [name, String(value)])))
  })

  it('haproxy.cfg: checks /readyz of both nodes, and passes the address of the client on', () => {
    const config = read('packaging/haproxy.cfg')
    expect(config.match(/^ {4}server node[12] node[12]:(3000|2525)$/gm)).to.have.length(4)
    expect(config.match(/option httpchk GET \/readyz/g)).to.have.length(2)
    expect(config).to.match(/http-request del-header X-Forwarded-For\n {4}option forwardfor/).and.include('send-proxy-v2 check port 3000')
    if (!isThere('haproxy', '-v')) return void console.log('      (no haproxy on this machine: its example is not verified)')
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(root, 'packaging/haproxy.cfg')], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })

  it('mayfly.service: systemd accepts it, and its exposure is less than 2.0', async () => {
    const unit = read('packaging/mayfly.service')
    expect(/^ExecStart=(.*)$/m.exec(unit)![1]).to.equal(`${readDockerfile().target} serve`)
    await expectUsable(Object.fromEntries([...unit.matchAll(/(MAYFLY_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!])))
    if (!isThere('systemd-analyze', '--version')) return void console.log('      (no systemd-analyze on this machine: the unit is not verified)')
    const path = join(folder, 'mayfly.service')
    writeFileSync(path, unit.replaceAll(readDockerfile().target, process.execPath)) // verify looks for the program
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).to.deep.equal([0, ''])
    const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    expect(status).to.equal(0)
    expect(Number(/exposure level for mayfly\.service: ([\d.]+)/.exec(stdout)![1])).to.be.lessThan(2)
  })

  it('nginx.conf: passes on events at once, and the address of the client', async () => {
    if (!isThere('nginx', '-v')) return void console.log('      (no nginx on this machine: its example is not run)')
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_TRUSTED_PROXIES: '127.0.0.1' })
    const [, key] = /: (svc_live_\w+)$/.exec(served.lines[0]!)!
    const [, server] = /http=http:\/\/(\S+)/.exec(served.lines[1]!)!
    const port = await freePort()
    const site = read('packaging/nginx.conf').replace(/\n\nserver \{\n {4}listen 80;[^]*$/, '\n') // without the redirection of port 80
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`).replace('    listen [::]:443 ssl;\n', '')
      .replace('127.0.0.1:3000', server!)
      .replace(/\/etc\/letsencrypt\/\S+fullchain\.pem/, join(root, 'test/cli/certificate/cert.pem'))
      .replace(/\/etc\/letsencrypt\/\S+privkey\.pem/, join(root, 'test/cli/certificate/key.pem'))
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
    const main = `daemon off;\nmaster_process off;\nerror_log stderr;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), main)
    const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    nginx.stderr.on('data', (text) => { said += String(text) })
    try {
      await untilListening(port, () => { if (nginx.exitCode !== null) throw new Error(said) })
      const call = (path: string) => request({
        host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false,
        headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': '203.0.113.9' },
      })
      const stream = call('/api/v1/events').end()
      const [events] = await once(stream, 'response')
      await once(events, 'data') // a comment, which a buffer would keep
      stream.destroy()
      let data: { ipAddress: string }[] = []
      while (data.length === 0) { // records are written together, a tenth of a second later
        const [answer] = await once(call('/api/v1/audit-logs').end(), 'response')
        data = (JSON.parse(String(Buffer.concat(await answer.toArray()))) as { data: { ipAddress: string }[] }).data
      }
      expect(new Set(data.map(({ ipAddress }) => ipAddress))).to.deep.equal(new Set(['127.0.0.1']))
    } finally {
      nginx.kill()
      await once(nginx, 'exit')
    }
    await served.stop()
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilListening(port: number, check: () => void): Promise<void> {
  for (;;) {
    check()
    // nginx answers plain HTTP with 400
    if (await fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
