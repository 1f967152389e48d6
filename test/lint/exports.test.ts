import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../build/paths.ts'

describe('The check `exports`: unused code', function () {
  const files = {
    'package.json': '{ "name": "fixture", "type": "module", "workspaces": ["sdk", "cli"] }',
    'sdk/package.json': '{ "name": "sdk", "type": "module", "exports": "./index.ts" }',
    'sdk/index.ts': "export { isPublic } from './core.ts'\n",
    'sdk/core.ts': 'export const isPublic = true\n',
    'cli/package.json': '{ "name": "cli", "type": "module", "bin": { "mayfly": "./mayfly.js" } }',
    'cli/mayfly.js': "import '../server/app.ts'\n",
    'server/app.ts': "import { isUsed } from './config/config.ts'\n\nif (isUsed) process.exit()\n",
    'server/config/config.ts': 'export const isUsed = true\n',
    'server/intake/mail-thread.ts': 'process.exit()\n',
  }
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-exports-'))
    copyFileSync(join(root, 'knip.jsonc'), join(folder, 'knip.jsonc'))
    for (const [path, text] of Object.entries(files)) write(path, text)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is not reported when every export is used or belongs to the package', async () => {
    expect(await findUnused()).to.deep.equal({ code: 0, found: '' })
  })

  it('is reported: an export that no file imports', async () => {
    write('server/config/config.ts', `${files['server/config/config.ts']}export const isForgotten = true\n`)
    const { code, found } = await findUnused()
    expect(code).to.equal(1)
    expect(found).to.match(/^Unused exports \(1\)\nisForgotten\s+server\/config\/config\.ts:2:14\s*$/)
  })

  it('is reported: an export of the SDK that its index does not export', async () => {
    write('sdk/core.ts', `${files['sdk/core.ts']}export interface Forgotten { name: string }\n`)
    const { code, found } = await findUnused()
    expect(code).to.equal(1)
    expect(found).to.match(/^Unused exported types \(1\)\nForgotten\s+interface\s+sdk\/core\.ts:2:18\s*$/)
  })

  it('is reported: a file that no file imports', async () => {
    write('server/forgotten.ts', 'process.exit()\n')
    expect(await findUnused()).to.deep.equal({ code: 1, found: 'Unused files (1)\nserver/forgotten.ts\n' })
  })

  function write(path: string, text: string) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  function findUnused(): Promise<{ code: number | null, found: string }> {
    const args = [join(root, 'node_modules/knip/bin/knip.js'), '--no-progress', '--no-config-hints']
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } }, (_error, stdout) => resolve({ code: child.exitCode, found: stdout }))
    })
  }
})
