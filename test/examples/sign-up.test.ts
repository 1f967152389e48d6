import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openShop } from '../../examples/sign-up/shop.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { chromiumFolder } from '../support/chromium.ts'
import { inherited } from './run.ts'

const repeats = Number(process.env['SIGN_UP_REPEATS'] ?? 2)
const example = fileURLToPath(new URL('../../examples/sign-up', import.meta.url))
const command = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js')

interface Run { code: number | null, stdout: string }

describe('Examples: sign-up', function () {
  this.timeout(300_000 + repeats * 5_000)
  let app: TestApp
  let shop: Awaited<ReturnType<typeof openShop>>
  let folder: string
  let temporary: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
    temporary = await chromiumFolder(folder)
    app = await openTestApp({ isRealTime: true })
    shop = await openShop({ smtp: app.smtp })
  })
  after(async () => {
    await shop?.close()
    await app?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const runPlaywright = (env: Record<string, string>, ...args: string[]) => new Promise<Run>((resolve) => {
    const child = execFile(process.execPath, [command, 'test', '-c', example, ...args], {
      env: { ...inherited, HOME: folder, TMPDIR: temporary, SHOP_URL: shop.url, MAYFLY_BASE_URL: app.url, ...env },
    }, (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout: stdout + stderr }))
  })

  it('signs up repeatedly with the code of the mail, in a browser', async () => {
    const { code, stdout } = await runPlaywright(
      { MAYFLY_API_KEY: app.key, PLAYWRIGHT_JSON_OUTPUT_NAME: join(folder, 'report.json') }, `--repeat-each=${repeats}`, '--reporter=json',
    )
    const { default: report } = await import(join(folder, 'report.json'), { with: { type: 'json' } })
    expect(report.stats, stdout).to.include({ expected: 2 * repeats, unexpected: 0, flaky: 0, skipped: 0 })
    expect(code).to.equal(0)
    if (process.env['SIGN_UP_REPEATS']) console.log(report.stats)
  })

  it('leaves no address and no file behind', async () => {
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
    expect((await readdir(example)).sort()).to.deep.equal(['main.ts', 'pages.ts', 'playwright.config.ts', 'shop.ts', 'sign-up.spec.ts'])
  })

  it('reports a missing key', async () => {
    const { code, stdout } = await runPlaywright({}, '--reporter=line', '-g', 'opens the shop')
    expect(code).to.equal(1)
    expect(stdout).to.include('The fixtures of Mayfly need an API key: set the variable MAYFLY_API_KEY')
  })
})
