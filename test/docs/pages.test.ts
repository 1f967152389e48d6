import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { serve } from '../cli/run.ts'
import type { Served, Variables } from '../cli/run.ts'
import { freePort } from '../support/dns-server.ts'
import { runPython, withPython } from '../python/python.ts'
import { serverBuild } from '../support/server-build.ts'
import { commandsOf, pages, programsOf, pythonPages, pythonProgramsOf, root, testsElsewhere, toScript } from './page.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0

/** An answer that is an error, in a block that does not ask for one. */
const refused = /^.*"error":.*$/m
const asksForErrors = /Fault|Prefer|# .*(must be|\b4\d\d\b)/

/** Parts of the output of a page. */
const shown: Record<string, string[]> = {
  'docs/command-line.md': ['Your code is 482913.', '--expires-in: at least 60s', 'mayfly-verify='],
  'docs/testing-with-keys.md': ['This call asked for the status 503', 'This call asked for the status 429'],
  'docs/mock.md': ['query.limit: must be <= 100.', 'There is no email with this id.', 'متجر السوق'],
}

describe('Pages: commands and programs', function () {
  let folder: string
  let bin: string

  before(async () => {
    bin = await mkdtemp(join(tmpdir(), 'mayfly-test-bin-'))
    const { programs } = await serverBuild()
    await addProgram('npx', `shift; exec '${process.execPath}' '${programs.mayfly}' "$@"`) // npx itself takes a second
    if (!hasCurl) await addProgram('curl', `exec '${process.execPath}' '${root}/test/docs/curl.ts' "$@"`)
  })
  after(() => rm(bin, { recursive: true }))

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
    const names = await readdir(root)
    for (const name of names.filter((name) => name !== 'data')) await symlink(join(root, name), join(folder, name))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function addProgram(name: string, script: string) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }

  for (const page of pages.filter((path) => commandsOf(path).length > 0)) {
    it(`of ${page} succeed, one after the other`, async () => {
      const database = join(folder, 'server.db')
      await using served = await serve({ MAYFLY_DATABASE: database, MAYFLY_BASE_URL: 'http://localhost:3000' })
      const { url, smtpPort, key } = readOutput(served)
      const script = toScript(commandsOf(page), { url, smtpPort, key, mockPort: await freePort() })
      const { code, output } = await runShell(script, {
        MAYFLY_API_KEY: key, MAYFLY_BASE_URL: url, MAYFLY_SMTP_PORT: smtpPort, MAYFLY_DATABASE: database, MAYFLY_MIN_FREE_BYTES: '0',
      })
      expect(code, output).to.equal(0)
      for (const part of shown[page] ?? []) expect(output).to.include(part)
      for (const block of output.split(/^::: /m).slice(1)) {
        const { code: commands } = commandsOf(page).find(({ name }) => block.startsWith(`${name}\n`))!
        if (!asksForErrors.test(commands)) expect(block).to.not.match(refused)
        for (const [, shown] of commands.matchAll(/ # (\d{6})$/gm)) expect(block).to.include(shown!)
      }
    })
  }

  for (const page of pages.filter((path) => programsOf(path).length > 0)) {
    it(`and programs of ${page} succeed`, async () => {
      await using served = await serve({ MAYFLY_DATABASE: join(folder, 'server.db') })
      const { url, smtpPort, key } = readOutput(served)
      const helpers = join(root, 'test/docs/sign-up.ts') // the application that the programs call
      for (const [i, { name, code }] of programsOf(page).entries()) {
        await writeFile(join(folder, `program-${i}.ts`), code)
        const { code: exitCode, output } = await runShell(`'${process.execPath}' --import '${helpers}' program-${i}.ts`, {
          MAYFLY_API_KEY: key, MAYFLY_BASE_URL: url, MAYFLY_SMTP_PORT: smtpPort, MAYFLY_WEBHOOK_SECRET: 'whsec_c2VjcmV0',
        })
        expect(exitCode, `${name}: ${output}`).to.equal(0)
      }
    })
  }

  it('that are not run here have a test of their own', () => {
    expect(testsElsewhere.filter((path) => !existsSync(join(root, path)))).to.deep.equal([])
  })

  function runShell(script: string, variables: Variables): Promise<{ code: number | null, output: string }> {
    const env = { ...variables, PATH: `${bin}:${process.env['PATH']}`, HOME: folder }
    return new Promise((resolve) => {
      const child = execFile('sh', ['-c', script], { cwd: folder, env, timeout: 50_000 }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, output: `${stdout}\n${stderr}` })
      })
    })
  }
})

withPython('Pages: programs in Python', () => {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-test-')) })
  afterEach(() => rm(folder, { recursive: true }))

  for (const page of pythonPages.filter((path) => pythonProgramsOf(path).length > 0)) {
    it(`of ${page} succeed`, async function () {
      await using served = await serve({ MAYFLY_DATABASE: join(folder, 'server.db') })
      const { url, smtpPort, key } = readOutput(served)
      const blocks = pythonProgramsOf(page, { url, key })
      const files = blocks.map((_, i) => join(folder, `program-${i}.py`))
      for (const [i, { code }] of blocks.entries()) await writeFile(files[i]!, code)
      const output = await runPython(['-W', 'error', join(root, 'test/docs/run_page.py'), ...files], {
        MAYFLY_API_KEY: key, MAYFLY_BASE_URL: url, MAYFLY_SMTP_PORT: smtpPort, MAYFLY_WEBHOOK_SECRET: 'whsec_c2VjcmV0',
      })
      expect(output.match(/^:::/gm)).to.have.length(blocks.length)
      if (blocks.some(({ code }) => code.includes('print('))) expect(output).to.include('482913')
    })
  }
})

/** The lines that the first start prints. */
function readOutput({ lines }: Served) {
  const text = lines.join('\n')
  const [, url, smtpPort] = /listening http=(\S+) smtp=\S+:(\d+)/.exec(text)!
  return { url: url!, smtpPort: smtpPort!, key: /svc_live_\w+/.exec(text)![0] }
}
