import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { compareNode } from '../../build/compare-node.ts'

interface Job {
  if?: string
  permissions?: Record<string, string>
  steps: { uses?: string, run?: string, env?: Record<string, string> }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const workflows = globSync('.github/workflows/*.y*ml', { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const jobs = workflows.flatMap(({ path, text }) => Object.entries((parse(text) as { jobs: Record<string, Job> }).jobs).map(([name, job]) => ({ name: `${path}: ${name}`, job })))

describe('Workflows', () => {
  it('name each action by its commit, with its version beside it', () => {
    const uses = workflows.flatMap(({ text }) => text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line)))
    expect(uses).to.have.length.greaterThan(5)
    for (const line of uses) expect(line).to.match(/uses: [\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('give the right to publish, and the secrets for it, only to jobs that publish what another job has built', () => {
    for (const { text } of workflows) expect(parse(text).permissions).to.deep.equal({ contents: 'read' })
    const publishing = jobs.filter(({ job }) => Object.values(job.permissions ?? {}).includes('write') || JSON.stringify(job).includes('secrets.'))
    expect(publishing.map(({ name, job }) => [name.split(': ')[1], job.permissions])).to.deep.equal([
      ['npm', { 'id-token': 'write' }], ['pypi', { 'id-token': 'write' }], ['images', { packages: 'write', 'id-token': 'write' }],
      ['github', { contents: 'write', 'id-token': 'write' }],
    ])
    for (const { job: { if: condition, steps } } of publishing) {
      expect(condition).to.equal("github.event_name == 'push'") // started by hand, the workflow publishes nothing
      expect(steps[0]!.uses).to.match(/^actions\/download-artifact@/)
      const used = steps.flatMap(({ uses = [] }) => uses).map((action) => String(action).split('@')[0])
      expect(used).to.not.include('actions/checkout')
      for (const { run = '' } of steps) expect(run).to.not.match(/npm (ci|install|run|test|exec)|npx|node |docker (buildx )?build/)
    }
  })

  it('bring the same major version of Node to every system', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { optionalDependencies: Record<string, string> }
    const majors = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-')).map(([, version]) => version.split('.')[0])
    expect(majors).to.have.length(5)
    expect(new Set(majors)).to.have.property('size', 1)
  })
})

describe('Release: the Node of the executable', () => {
  let folder: string
  let url: string
  const files = new Map<string, Buffer>()
  const server = createServer((req, res) => {
    const file = files.get(req.url!)
    res.writeHead(file ? 200 : 404).end(file)
  })
  const node = { path: '', version: 'v1.2.3', system: 'linux-x64' }
  const name = 'node-v1.2.3-linux-x64'

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-node-'))
    mkdirSync(join(folder, name, 'bin'), { recursive: true })
    node.path = join(folder, name, 'bin/node')
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    writeFileSync(node.path, 'the executable')
    const archive = execFileSync('tar', ['--create', '--gzip', '--directory', folder, name])
    files.set(`/v1.2.3/${name}.tar.gz`, archive)
    files.set('/v1.2.3/SHASUMS256.txt', Buffer.from(`${'0'.repeat(64)}  ${name}.tar.xz\n${createHash('sha256').update(archive).digest('hex')}  ${name}.tar.gz\n`))
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const failure = () => compareNode(node, url).then(() => undefined, ({ message }: Error) => message)

  it('is that of the archive with the published sum', async () => {
    expect(await failure()).to.equal(undefined)
  })

  it('is on Windows that of the published sum', async () => {
    const windows = { ...node, system: 'win-x64' }
    files.set('/v1.2.3/SHASUMS256.txt', Buffer.from(`${createHash('sha256').update('the executable').digest('hex')}  win-x64/node.exe\n`))
    await compareNode(windows, url)
    writeFileSync(node.path, 'another executable')
    expect(await compareNode(windows, url).catch(({ message }: Error) => message)).to.equal(`${node.path} is not win-x64/node.exe`)
  })

  it('is refused when it differs, when the archive has another sum, and without a sum or an archive', async () => {
    writeFileSync(node.path, 'another executable')
    expect(await failure()).to.equal(`${node.path} is not the executable of ${name}.tar.gz`)
    files.set('/v1.2.3/SHASUMS256.txt', Buffer.from(`${'0'.repeat(64)}  ${name}.tar.gz\n`))
    expect(await failure()).to.match(/^node-v1\.2\.3-linux-x64\.tar\.gz has the sum [0-9a-f]{64}, and its published one is 0{64}$/)
    files.set('/v1.2.3/SHASUMS256.txt', Buffer.from(`${'0'.repeat(64)}  ${name}.tar.xz\n`))
    expect(await failure()).to.equal(`${url} has no sum of ${name}.tar.gz`)
    files.clear()
    expect(await failure()).to.equal(`${url}/v1.2.3/SHASUMS256.txt was answered 404`)
  })
})
