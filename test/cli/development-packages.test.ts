import { expect } from 'chai'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../cli', import.meta.url))
const installing = 'Installing the packages for development, once.\n'

/** In place of npm: keeps its arguments, and installs what the lock names once the file `slow` is gone. */
const npm = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
if (existsSync('offline')) process.exit(1)
mkdirSync('node_modules/tool', { recursive: true })
if (!existsSync('node_modules/tool/half')) writeFileSync('node_modules/tool/half', String(process.pid))
while (existsSync('slow')) await setTimeout(10)
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/server': {}, 'node_modules/tool': { dev: true } } }, null, 2))
`

describe('Packages for development', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mayfly launcher '))
    cpSync(cli, join(root, 'cli'), { recursive: true })
    write('package.json', '{ "type": "module" }')
    write('npm-cli.js', npm)
    write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/server': {}, 'node_modules/tool': { dev: true } } }))
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/server': {} } }))
    write('node_modules/server/index.js', '')
    for (const folder of ['test', 'examples']) write(`${folder}/script.js`, 'console.log(JSON.stringify([process.env.NODE_ENV, process.env.npm_config_omit]))')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }

  const calls = () => existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : []

  function launch(script = 'test/script.js') {
    const env = { PATH: process.env['PATH'], npm_execpath: join(root, 'npm-cli.js'), NODE_ENV: 'production', npm_config_omit: 'dev' }
    const child = spawn(process.execPath, ['cli/launcher.js', script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    return { child, outcome: outcomeOf(child) }
  }

  async function outcomeOf(child: ChildProcess) {
    const [stdout, stderr] = ['', '']
    const outcome = { stdout, stderr, code: null as number | null }
    for (const stream of ['stdout', 'stderr'] as const) child[stream]!.setEncoding('utf8').on('data', (text) => { outcome[stream] += String(text) })
    const [code] = await once(child, 'close')
    return { ...outcome, code: code as number | null }
  }

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise((resolve) => { setTimeout(resolve, 10) })
  }

  const isInstalling = () => existsSync(join(root, 'node_modules/tool/half'))

  it('are installed once, for the scripts that need them, which get no variables of npm for production', async () => {
    const plain = { code: 0, stdout: '[null,null]\n' }
    expect(await launch('examples/script.js').outcome).to.deep.equal({ ...plain, stderr: '' })
    expect(await launch().outcome).to.deep.equal({ ...plain, stderr: installing })
    expect(await launch().outcome).to.deep.equal({ ...plain, stderr: '' })
    expect(calls()).to.have.length(1)
    expect(calls()[0]).to.match(/^install --no-save --include=dev /)
    expect(existsSync(join(root, 'node_modules/.installing'))).to.equal(false)
  })

  it('are installed by one of two commands at once; the other waits', async () => {
    write('slow', '')
    const first = launch()
    await until(isInstalling)
    const second = launch()
    await once(second.child.stderr, 'data')
    rmSync(join(root, 'slow'))
    const [one, other] = await Promise.all([first.outcome, second.outcome])
    expect([one.code, other.code, one.stderr]).to.deep.equal([0, 0, installing])
    expect(other.stderr).to.match(/^Waiting for process \d+, which installs the packages for development\.\n$/)
    expect(calls()).to.have.length(1)
  })

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`are removed and installed again after an installation that ${signal} has ended, and those of the server stay`, async () => {
      write('slow', '')
      const { child, outcome } = launch()
      await until(() => isInstalling() && readFileSync(join(root, 'node_modules/tool/half'), 'utf8') !== '')
      const half = readFileSync(join(root, 'node_modules/tool/half'), 'utf8')
      child.kill(signal)
      if (signal === 'SIGKILL') process.kill(Number(half), signal)
      const { code, stderr } = await outcome
      if (signal === 'SIGTERM') expect([code, stderr]).to.deep.equal([1, `${installing}The installation was ended by SIGTERM. The next command continues it.\n`])
      rmSync(join(root, 'slow'))
      const next = await launch().outcome
      expect(next.code).to.equal(0)
      expect(next.stderr).to.match(/^(Waiting .*\n)?Installing .*\n$/) // a killed process takes a moment to end
      expect(readFileSync(join(root, 'node_modules/tool/half'), 'utf8')).to.not.equal(half)
      expect(existsSync(join(root, 'node_modules/server/index.js'))).to.equal(true)
    })
  }

  it('that cannot be written end the command with a sentence', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    write('node_modules', 'no folder')
    const { code, stderr } = await launch().outcome
    expect([code, stderr]).to.deep.equal([1, `The packages for development are not installed, and ${root}/ cannot be written. `
      + 'Run "npm ci --include=dev" where it can.\n'])
  })

  it('that cannot be installed end the command with a sentence, and the next one tries again', async () => {
    write('offline', '')
    const { code, stdout, stderr } = await launch().outcome
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.include(installing).and.to.match(/: run "npm ci --include=dev" once where there is one\.\n$/)
    expect(existsSync(join(root, 'node_modules/.installing'))).to.equal(false)
    rmSync(join(root, 'offline'))
    expect(await launch().outcome).to.deep.include({ code: 0, stderr: installing })
  })
})
