import { expect } from 'chai'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSdk } from '../../build/sdk.ts'
import { readManifest } from '../../build/manifest.ts'
import { borrow, must } from './project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiler = join(root, 'node_modules/typescript-lowest')

const programs = {
  'using.ts': `import { Mayfly } from '@mayfly-mail/sdk'
export async function code(): Promise<string> {
  await using inbox = await new Mayfly().inboxes.create()
  return inbox.waitForCode()
}
`,
  'playwright.ts': `import { expect, test } from '@mayfly-mail/sdk/playwright'
test('has an inbox', async ({ inbox }) => expect(inbox.address.toUpperCase()).toContain('@'))
`,
  'vitest.ts': `import { expect, test } from '@mayfly-mail/sdk/vitest'
test('has an inbox', async ({ inbox }) => expect(inbox.address.toUpperCase()).toContain('@'))
`,
}

describe('Packages: the lowest version of TypeScript', function () {
  this.timeout(120_000)
  let project: string
  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'mayfly-typescript-'))
    await buildSdk(join(project, 'node_modules/@mayfly-mail/sdk'))
    borrow(project, '@types/node', 'undici-types', '@playwright/test', 'vitest')
    for (const extension of ['mts', 'cts']) copyFileSync(join(root, 'test/packages/consumer.ts'), join(project, `consumer.${extension}`))
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text)
  })
  after(() => rmSync(project, { recursive: true, force: true }))

  /** @param more options beside the strictest ones, which also check the package's own declarations */
  const compile = (module: 'nodenext' | 'bundler', files: string[], ...more: string[]) => must(process.execPath, [
    join(compiler, 'bin/tsc'), '--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', 'node', '--moduleResolution', module,
    '--module', module === 'bundler' ? 'esnext' : module, ...more, ...files,
  ], project)

  it('is the version that its README states', () => {
    const version = /^\d+\.\d+/.exec(readManifest(compiler).version)![0]
    expect(readFileSync(join(root, 'sdk/README.md'), 'utf8').replace(/\s+/g, ' ')).to.include(`TypeScript ${version} or newer`)
  })

  it('compiles programs as modules and as CommonJS', () => compile('nodenext', ['consumer.mts', 'consumer.cts']))

  it('compiles programs for bundlers, with `await using`', () => compile('bundler', ['using.ts']))

  // without the declarations of the runners, which may need a newer version
  it('compiles the fixtures of Playwright and vitest', () => compile('bundler', ['playwright.ts', 'vitest.ts'], '--skipLibCheck'))
})
