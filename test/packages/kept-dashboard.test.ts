import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from './project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('Packages: the dashboard in a checkout without the packages for development', function () {
  this.timeout(60_000)
  let checkout: string
  before(() => {
    checkout = mkdtempSync(join(tmpdir(), 'mayfly-checkout-'))
    for (const path of ['build/dashboard.ts', 'build/paths.ts', 'dashboard', 'sdk', 'package.json', 'package-lock.json']) {
      cpSync(join(root, path), join(checkout, path), { recursive: true, filter: (each) => !each.includes('dashboard/dist') })
    }
  })
  after(() => rmSync(checkout, { recursive: true, force: true }))

  const prepare = () => run(process.execPath, ['build/dashboard.ts'], checkout)
  const pages = () => join(checkout, 'dashboard/dist')

  it('is unpacked from the one file that git keeps, once', async () => {
    expect(await prepare()).to.deep.equal({ code: 0, stdout: `${pages()}\n`, stderr: '' })
    const { files } = JSON.parse(readFileSync(join(root, 'dashboard/built.gen.json'), 'utf8')) as { files: Record<string, string> }
    const { index, assets } = JSON.parse(readFileSync(join(pages(), 'dashboard.json'), 'utf8')) as { index: string, assets: string[] }
    expect(index).to.equal(files['index.html']).and.to.include('__CSP_NONCE__')
    expect(assets.length).to.be.above(20)
    for (const name of assets) {
      expect(readFileSync(join(pages(), 'assets', name), 'utf8')).to.equal(files[`assets/${name}`])
      expect(existsSync(join(pages(), 'assets', `${name}.br`))).to.equal(true)
    }
    expect(await prepare()).to.deep.equal({ code: 0, stdout: '', stderr: '' })
  })

  it('leaves no part of it behind when its preparation is interrupted', async () => {
    rmSync(pages(), { recursive: true })
    const preparation = spawn(process.execPath, ['build/dashboard.ts'], { cwd: checkout, stdio: 'ignore' })
    const ended = once(preparation, 'exit')
    const made = () => readdirSync(join(checkout, 'dashboard')).filter((name) => name.startsWith('dist'))
    while (made().length === 0) await setTimeout(1)
    preparation.kill()
    await ended
    expect(made()).to.deep.equal(['dist'])
  })

  for (const path of ['dashboard/src/main.tsx', 'sdk/index.ts']) {
    it(`is not shown when ${path} has changed, and the command that builds it is named`, async () => {
      await prepare()
      appendFileSync(join(checkout, path), '// changed\n')
      const { code, stderr } = await prepare()
      expect(code).to.equal(1)
      expect(stderr).to.equal('Its sources have changed: run npm run build -- dashboard, then start again.\n')
      expect(existsSync(pages())).to.equal(false)
      cpSync(join(root, path), join(checkout, path))
    })
  }
})
