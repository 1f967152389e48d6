import { expect } from 'chai'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canRun, findInstalledNode } from '../../cli/installed-node.js'
import { findNode20 } from '../packages/node-20.ts'

const cli = fileURLToPath(new URL('../../cli', import.meta.url))

/** Node 20 has no execve, so the script is a child process there; the current Node replaces itself. */
const nodes = { 'Node 20': findNode20() ?? process.execPath, 'the current Node': process.execPath }

describe('Launcher', () => {
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly launcher ')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const script = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  for (const [name, node] of Object.entries(nodes)) {
    const launch = (path: string, ...args: string[]) => spawn(node, [join(cli, 'launcher.js'), path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })

    it(`runs the script with the installed Node, its arguments and stdin, from ${name}`, async () => {
      const echo = script('echo.mjs', `
        let text = ''
        for await (const chunk of process.stdin) text += chunk
        console.log(JSON.stringify({ node: process.execPath, path: process.env.PATH.split(':')[0], args: process.argv.slice(2), text }))
      `)
      const child = launch(echo, 'a b', '--json')
      child.stdin.end('hello')
      const said = JSON.parse(String(Buffer.concat(await child.stdout.toArray())))
      const installed = findInstalledNode()!
      expect(said).to.deep.equal({ node: installed, path: join(installed, '..'), args: ['a b', '--json'], text: 'hello' })
    })

    it(`ends with the exit code of the script, from ${name}`, async () => {
      const [code, signal] = await once(launch(script('three.mjs', 'process.exit(3)')), 'exit')
      expect([code, signal]).to.deep.equal([3, null])
    })

    it(`passes SIGTERM and SIGINT on, from ${name}`, async () => {
      const slowToEnd = script('slow-to-end.mjs', `
        for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { console.log(signal); process.exit(7) })
        setInterval(() => {}, 1000)
        console.log('ready')
      `)
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const child = launch(slowToEnd)
        const output: string[] = []
        child.stdout.on('data', (data) => output.push(String(data)))
        await once(child.stdout, 'data')
        child.kill(signal)
        expect((await once(child, 'exit'))[0]).to.equal(7)
        expect(output.join('')).to.equal(`ready\n${signal}\n`)
      }
    })

    it(`ends by the signal that ended the script, from ${name}`, async () => {
      const [code, signal] = await once(launch(script('killed.mjs', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')), 'exit')
      expect([code, signal]).to.deep.equal([null, 'SIGTERM'])
    })
  }

  it('lets mayfly run from Node 20', () => {
    const { version } = JSON.parse(execFileSync('cat', [join(cli, '../package.json')], { encoding: 'utf8' }))
    expect(execFileSync(nodes['Node 20'], [join(cli, 'mayfly.js'), '--version'], { encoding: 'utf8' })).to.equal(`${version}\n`)
  })

  it('leaves an installed Node out that the machine cannot run', () => {
    if (process.platform !== 'win32') chmodSync(script('node', '#!/bin/sh\nexit 127\n'), 0o755)
    expect(canRun(join(folder, 'node'), [])).to.equal(process.platform !== 'linux')
    expect(canRun(process.execPath, [])).to.equal(true)
    script('libatomic.so.1', '')
    expect(canRun(join(folder, 'node'), [folder])).to.equal(true) // it is not tried
  })

  it('is found by npx at once: npx installs the package of the folder when that has a command', () => {
    const root = join(cli, '..')
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).to.not.have.property('bin')
    expect(realpathSync(join(root, 'node_modules/.bin/mayfly'))).to.equal(realpathSync(join(cli, 'mayfly.js')))
  })

  it('names the required Node when none is installed', async () => {
    const other = join(folder, 'package')
    mkdirSync(other)
    cpSync(cli, join(other, 'cli'), { recursive: true })
    writeFileSync(join(other, 'package.json'), '{ "type": "module" }')
    const child = spawn(nodes['Node 20'], [join(other, 'cli/mayfly.js'), 'serve'])
    const [stderr, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')])
    expect(String(Buffer.concat(stderr))).to.match(/^mayfly needs Node 22\.19\.0 or newer; this is v20\./)
    expect(code).to.equal(1)
  })
})
