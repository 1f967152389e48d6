import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode20 } from '../packages/node-20.ts'
import { expectStop, stopTries } from '../support/stop.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

describe('CLI: process life', function () {
  this.timeout(300_000 + stopTries * 30_000)
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-life-')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** The environment of a shell, without what npm has set for the tests. */
  const shell = (node: string) => {
    const path = process.env['PATH']!.split(delimiter).filter((part) => !part.includes('node_modules'))
    return {
      PATH: [dirname(node), ...path].join(delimiter), HOME: process.env['HOME'] ?? folder, MAYFLY_DATABASE: join(folder, 'mayfly.db'),
    }
  }
  const nodes = { 'Node 20': findNode20() ?? process.execPath, 'the current Node': process.execPath }

  for (const [name, node] of Object.entries(nodes)) {
    for (const [command, ...args] of [['npm', 'start'], ['node', 'cli/mayfly.js', 'serve']]) {
      it(`SIGTERM to ${[command, ...args].join(' ')} on ${name} ends the server`, async () => {
        for (let i = 0; i < stopTries; i++) await expectStop({ command: command!, args, cwd: checkout, env: shell(node) })
      })
    }

    it(`SIGTERM to a shell of npm on ${name} ends the server, where that Node has to start the installed one`, async () => {
      const script = 'node cli/mayfly.js serve'
      await expectStop({ command: 'sh', args: ['-c', `${script}; exit`], cwd: checkout, env: { ...shell(node), npm_lifecycle_script: script } })
    })

    it(`SIGKILL of the launcher on ${name} ends the server`, async () => {
      await expectStop({ command: 'node', args: ['cli/mayfly.js', 'serve'], cwd: checkout, env: shell(node), signal: 'SIGKILL' })
    })
  }

  it('SIGTERM to npx mayfly serve ends the server', async () => {
    const args = ['--no-install', 'mayfly', 'serve']
    for (let i = 0; i < stopTries; i++) await expectStop({ command: 'npx', args, cwd: checkout, env: shell(process.execPath) })
  })

  it('starts after a kill, with the files that the killed server has left', async () => {
    const command = { command: 'node', args: ['cli/mayfly.js', 'serve'], cwd: checkout, env: shell(process.execPath) }
    await expectStop({ ...command, signal: 'SIGKILL' })
    await expectStop(command)
  })

  it('lets a server live that a script of npm leaves behind', function () {
    const script = 'mayfly serve & echo started'
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', `
      import { isAwaitedByNpm } from '${checkout}cli/end-with-parent.js'
      console.log(isAwaitedByNpm())
    `], { env: { npm_lifecycle_script: script }, encoding: 'utf8' })
    if (stdout !== 'false\n') throw new Error(`${script}: ${stdout}`)
  })
})
