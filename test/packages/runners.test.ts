import { readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { readManifest } from '../../build/manifest.ts'
import { buildSdk } from '../../build/sdk.ts'
import { openShop } from '../../examples/sign-up/shop.ts'
import { blocksOf, root } from '../docs/page.ts'
import { program as mayfly } from '../cli/run.ts'
import { noDns } from '../support/no-dns.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { borrow, must, openProject, run } from './project.ts'

const page = 'docs/playwright-and-other-runners.md'

describe('Packages: the SDK in test runners', function () {
  let folder: string
  let app: TestApp
  let shop: Awaited<ReturnType<typeof openShop>>
  let variables: Record<string, string>

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-runners-'))
    const built = join(folder, 'sdk')
    await buildSdk(built)
    const [{ filename, integrity }] = JSON.parse(await must('npm', ['pack', '--json', '--pack-destination', folder], built))
    const manifest = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'))
    await openProject(join(folder, 'project'), [{ tarball: join(folder, filename), integrity, files: [], manifest }])
    app = await openTestApp({ isRealTime: true })
    shop = await openShop({ smtp: app.smtp })
    variables = { MAYFLY_API_KEY: app.key, MAYFLY_BASE_URL: app.url, SHOP_URL: shop.url, CI: '1' }
  })
  after(async () => {
    await shop?.close()
    await app?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** A project with a test of the folder examples/runners, or with this code in its place. @param packages of the checkout */
  async function openRunner(name: string, packages: string[], test?: { file: string, code: string }): Promise<string> {
    const project = join(folder, `${name}-${test ? 'own' : 'example'}`)
    await cp(join(folder, 'project'), project, { recursive: true })
    borrow(project, ...packages)
    if (test) await writeFile(join(project, test.file), test.code)
    else await cp(join(root, 'examples/runners', name), project, { recursive: true })
    return project
  }

  const vitest = (project: string) => run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', project], project, variables)

  const jest = (project: string) => run(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), '--rootDir', project], project, variables)

  const playwright = (project: string) =>
    run(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=line'], project, variables)

  for (const name of readdirSync(join(root, 'examples/runners'))) {
    it(`has the version of the runner ${name} that the tests of this project have`, () => {
      const { '@mayfly-mail/sdk': sdk, ...runners } = readManifest(join(root, 'examples/runners', name)).devDependencies!
      expect(sdk).to.equal('file:../../../dist/sdk')
      expect(readManifest(root).devDependencies).to.include(runners)
    })
  }

  it('signs up with vitest', async () => {
    const { code, stdout, stderr } = await vitest(await openRunner('vitest', ['vitest']))
    expect(code, stdout + stderr).to.equal(0)
    expect(stripVTControlCharacters(stdout)).to.match(/Tests +1 passed/)
  })

  it('signs up with node:test', async () => {
    const project = await openRunner('node-test', [])
    const { code, stdout, stderr } = await run(process.execPath, ['--test'], project, variables)
    expect(code, stdout + stderr).to.equal(0)
    expect(stdout).to.match(/pass 1\b/)
  })

  it('signs up with jest', async () => {
    const { code, stdout, stderr } = await jest(await openRunner('jest', ['jest']))
    expect(code, stdout + stderr).to.equal(0)
    expect(stderr).to.match(/Tests: +1 passed/)
  })

  for (const [name, sdk, bin, file] of [
    ['jest', '@mayfly-mail/sdk', 'jest/bin/jest.js', 'mail.test.js'],
    ['playwright', '@mayfly-mail/sdk/playwright', '@playwright/test/cli.js', 'mail.spec.js'],
  ] as const) {
    it(`passes with ${name} and the server of "mayfly run", for an app that mails by nodemailer with a login`, async () => {
      const inbox = name === 'jest' ? 'const inbox = await new Mayfly().inboxes.create()' : ''
      const code = `const { createTransport } = require('nodemailer')
const { ${name === 'jest' ? 'Mayfly' : 'test, expect'} } = require('${sdk}')
test('a customer gets a code', async (${name === 'jest' ? '' : '{ inbox }'}) => {
  ${inbox}
  const { SMTP_HOST: host, SMTP_PORT: port } = process.env
  const mailer = createTransport({ host, port, auth: { user: 'shop', pass: 'any' } })
  await mailer.sendMail({ from: 'shop@example.org', to: inbox.address, subject: 'Welcome', text: 'Your code is 482913.' })
  expect(await inbox.waitForCode()).toBe('482913')
})
`
      const project = await openRunner(name, [bin.replace(/\/(bin|cli).*$/, ''), 'nodemailer'], { file, code })
      const words = [join(root, 'node_modules', bin), ...name === 'jest' ? ['--rootDir', project] : ['test', '--reporter=line']]
      const { code: exitCode, stdout, stderr } = await run(process.execPath, [mayfly, 'run', '--', process.execPath, ...words], project, {
        CI: '1', MAYFLY_DNS_SERVERS: await noDns(),
      })
      expect(exitCode, stdout + stderr).to.equal(0)
      expect(stdout + stderr).to.match(/1 passed/)
    })
  }

  it('ends the wait of the page for jest before the time limit of jest', async () => {
    const [example] = blocksOf(page, 'js')
    const project = await openRunner('jest', ['jest'], { file: 'wait.test.js', code: `${example!.code}\nasync function signUp() {}\n` })
    const { code, stderr } = await jest(project)
    expect(code, stderr).to.equal(1)
    expect(stderr).to.match(/TimeoutError: Waited 3\.\d s for an email to \S+@\S+ with a code\. No other mail arrived\./)
    expect(stderr).to.not.include('Exceeded timeout')
  })

  it('signs up with the tasks of the page for Cypress', async () => {
    const config = blocksOf(page, 'js').find(({ code }) => code.includes('setupNodeEvents'))!
    const project = await openRunner('cypress', [], { file: 'cypress.config.mjs', code: config.code })
    await writeFile(join(project, 'tasks.mjs'), `import config from './cypress.config.mjs'
let tasks
config.e2e.setupNodeEvents((name, all) => { if (name === 'task') tasks = all })
const email = await tasks.newAddress()
const answer = await fetch(process.env.SHOP_URL, { method: 'POST', body: new URLSearchParams({ email }) })
const code = await tasks.waitForCode(email)
const page = await fetch(answer.url, { method: 'POST', body: new URLSearchParams({ code }) })
console.log(await page.text())
`)
    expect(await must(process.execPath, ['tasks.mjs'], project, variables)).to.include('Welcome, ')
  })

  it('signs up with Playwright', async () => {
    const { code, stdout, stderr } = await playwright(await openRunner('playwright', ['@playwright/test']))
    expect(code, stdout + stderr).to.equal(0)
    expect(stdout).to.include('1 passed')
  })

  it('ends a wait before the time limit of a Playwright test, also when the test sets it by test.setTimeout()', async () => {
    const project = await openRunner('playwright', ['@playwright/test'], { file: 'wait.spec.ts', code: `import { test } from '@mayfly-mail/sdk/playwright'
test('no mail', async ({ inbox }) => {
  test.setTimeout(4_000)
  await inbox.waitForCode()
})
` })
    const { code, stdout, stderr } = await playwright(project)
    const output = stripVTControlCharacters(stdout + stderr)
    expect(code, output).to.equal(1)
    expect(output).to.match(/TimeoutError: Waited 2\.\d s for an email to \S+@\S+ with a code\. No other mail arrived\./)
    expect(output).to.not.include('Test timeout')
  })

  it('ends a wait before the time limit of vitest, with the mail that came instead', async () => {
    const project = await openRunner('vitest', ['vitest'], { file: 'wait.test.ts', code: `import { test } from '@mayfly-mail/sdk/vitest'
test.concurrent('no mail', async ({ inbox }) => { await inbox.waitForCode() })
test.concurrent('mail without a code', { timeout: 3_000 }, async ({ inbox, mayfly }) => {
  await mayfly.emails.send({ fromAddressId: inbox.id, to: inbox.address, subject: 'Welcome', body: 'Hello' })
  await inbox.waitForCode()
})
` })
    const addresses = async () => (await app.api('GET', '/addresses')).body.data.total
    const before = await addresses()
    const { code, stdout, stderr } = await vitest(project)
    const output = stripVTControlCharacters(stdout + stderr)
    expect(code, output).to.equal(1)
    expect(output).to.match(/TimeoutError: Waited 3\.\d s for an email to \S+@\S+ with a code\. No other mail arrived\./)
    expect(output).to.match(/TimeoutError: Waited 1\.\d s for an email to \S+@\S+ with a code\. 1 mail came, without a code: "Welcome" from/)
    expect(output).to.not.include('Test timed out')
    expect(await addresses()).to.equal(before)
  })
})
