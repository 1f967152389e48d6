import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { targetOf } from '../../build/executable/target.ts'
import { mayfly } from '../cli/run.ts'
import { readDockerfile } from './container.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isThere = (tool: string, option: string) => spawnSync(tool, [option]).status === 0

describe('Packaging', function () {
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-packaging-')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Expects that each variable is one of Mayfly, with a usable value. */
  async function expectUsable(variables: Record<string, string>) {
    const { stdout } = await mayfly(['doctor', '--json'], variables)
    const { checks } = JSON.parse(stdout) as { checks: { name: string, status: string, found: string }[] }
    expect(checks.filter(({ name }) => name === 'variables').map(({ status, found }) => [status, found.includes('can be used')])).to.deep.equal([['ok', true]])
  }

  it('Dockerfile: copies the executable of each processor as the process 1, with a volume for the database, ports and health check', async () => {
    const { files, target, entrypoint, command, health, variables, volumes, ports } = readDockerfile()
    expect(files).to.deep.equal(['', '.licences.txt', '.cdx.json'].map((end) => `/dist/mayfly-$name${end}`))
    const names = read('packaging/Dockerfile').match(/\blinux-[\w$]+/g)!
    expect(names).to.include('linux-x64').and.to.include('linux-$TARGETARCH') // test/packages/executable.test.ts runs one
    for (const name of ['linux-x64', 'linux-arm64']) expect(relative(root, targetOf(name).file)).to.equal(`dist/mayfly-${name}`)
    expect([entrypoint, command, health]).to.deep.equal([[target], ['serve', '--json'], [target, 'health']])
    expect(variables['MAYFLY_DATABASE']!.startsWith(`${volumes[0]}/`)).to.equal(true)
    expect(ports).to.deep.equal(['3000', '2525'])
    expect(read('packaging/Dockerfile.dockerignore')).to.include('!dist/mayfly-linux-*')
    await expectUsable(Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('MAYFLY_'))))
  })

  it('docs/ci.md: gives a service container variables that can be used, and the job the same key and server', async () => {
    const { stdout } = await mayfly(['key', 'generate'], {})
    const [, block] = /```yaml\n(# \.gitlab-ci\.yml\n[^]*?)```/.exec(read('docs/ci.md').replaceAll('svc_live_…', stdout.trim()))!
    const { test: { services: [{ alias }], variables } } = parse(block!)
    expect(variables).to.include({ MAYFLY_API_KEY: variables.MAYFLY_INITIAL_API_KEY, MAYFLY_BASE_URL: `http://${alias}:3000`, SMTP_URL: `smtp://${alias}:2525` })
    await expectUsable(variables)
    const [, circle] = /```yaml\n(# \.circleci\/config\.yml\n[^]*?)```/.exec(read('docs/ci.md').replaceAll('svc_live_…', stdout.trim()))!
    const [job, service] = parse(circle!).jobs.test.docker
    expect(job.environment).to.include({ MAYFLY_API_KEY: service.environment.MAYFLY_INITIAL_API_KEY })
    await expectUsable(service.environment)
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

  it('haproxy.cfg: checks /readyz of both nodes, and is accepted', () => {
    const config = read('packaging/haproxy.cfg')
    expect(config.match(/^ {4}server node[12] node[12]:(3000|2525)$/gm)).to.have.length(4)
    expect(config.match(/option httpchk GET \/readyz/g)).to.have.length(2)
    expect(config).to.include('send-proxy-v2 check port 3000')
    if (!isThere('haproxy', '-v')) return void console.log('      (no haproxy on this machine: its example is not verified)')
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(root, 'packaging/haproxy.cfg')], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })

  it('docs/several-nodes.md: makes a file for HAProxy without Docker, and variables for each node', async () => {
    const page = read('docs/several-nodes.md')
    const [, command] = /^\$ (sed '.*' packaging\/haproxy\.cfg) >/m.exec(page)!
    const { stdout } = spawnSync('sh', ['-c', command!], { cwd: root, encoding: 'utf8' })
    expect(stdout).to.not.match(/docker|node\d:/)
    expect(stdout.match(/^ {4}server node[12] 10\.0\.0\.1[12]:(3000|2525)$/gm)).to.have.length(4)
    const [, lines] = /```ini\n([^]*?)```/.exec(page)!
    await expectUsable(Object.fromEntries(lines!.trim().split('\n').map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1))))
    if (!isThere('haproxy', '-v')) return
    const path = join(folder, 'haproxy.cfg')
    writeFileSync(path, stdout)
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })

  it('mayfly.service: systemd accepts it, and its exposure is less than 2.0', async () => {
    const unit = read('packaging/mayfly.service')
    expect(/^ExecStart=(.*)$/m.exec(unit)![1]).to.equal(`${readDockerfile().target} serve --json`)
    await expectUsable(Object.fromEntries([...unit.replace(/^#.*\n/gm, '').matchAll(/(MAYFLY_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!])))
    if (!isThere('systemd-analyze', '--version')) return void console.log('      (no systemd-analyze on this machine: the unit is not verified)')
    const path = join(folder, 'mayfly.service')
    const credentials = unit.replace(/^#(?=LoadCredential|Environment)/gm, '')
    writeFileSync(path, credentials.replaceAll(readDockerfile().target, process.execPath)) // verify looks for the program
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).to.deep.equal([0, ''])
    const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    expect(status).to.equal(0)
    expect(Number(/exposure level for mayfly\.service: ([\d.]+)/.exec(stdout)![1])).to.be.lessThan(2)
  })
})
