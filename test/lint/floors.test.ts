import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../build/paths.ts'

describe('Floors of imports', function () {
  const driver = "import Sqlite from 'better-sqlite3'\n\nexport const open = Sqlite\n"
  const accepted = {
    'package.json': '{ "name": "fixture", "type": "module" }',
    'node_modules/better-sqlite3/package.json': '{ "name": "better-sqlite3", "main": "index.js" }',
    'node_modules/better-sqlite3/index.js': 'module.exports = {}\n',
    'server/config/config.ts': 'export const config = 1\n',
    'server/network.ts': 'export const network = 1\n',
    'server/domain/accounts.ts': "import { db } from '../store/database.ts'\n\nexport interface Account { id: string }\n\nexport const account = db\n",
    'server/store/database.ts': "import { open } from './engines/sqlite/open.ts'\n\nexport const db = open\n",
    'server/store/engines/sqlite/open.ts': driver,
    'server/smtp/client-limits.ts': 'export const clientLimits = 1\n',
    'mcp/http.ts': 'export const answerMcp = 1\n',
    'server/http/pages/mcp.ts': "export { answerMcp } from '../../../mcp/http.ts'\n",
    'test/support/app.ts': "export { account } from '../../server/domain/accounts.ts'\n",
    'test/support/store/rows.ts': driver,
    'test/network.test.ts': "import { network } from '../server/network.ts'\n\nnetwork\n",
    'test/smtp/units/client-limits.test.ts': "import { clientLimits } from '../../../server/smtp/client-limits.ts'\n\nclientLimits\n",
    'test/http/accounts.test.ts': "import type { Account } from '../../server/domain/accounts.ts'\nimport { config } from '../../server/config/config.ts'\n"
      + "import { account } from '../support/app.ts'\n\nexport default [account, config] satisfies Account\n",
  }
  const refused: [title: string, file: string, module: string, rule: string][] = [
    ['a store that imports the domain', 'server/store/emails.ts', '../domain/accounts.ts', 'floor-store'],
    ['a tool for agents that imports the server', 'mcp/tools.ts', '../server/network.ts', 'mcp-knows-the-sdk'],
    ['a handler that imports the tools for agents', 'server/http/handlers/mcp.ts', '../../../mcp/http.ts', 'server-knows-mcp-in-one-file'],
    ['a database driver in the store', 'server/store/jobs/jobs.ts', 'better-sqlite3', 'engines-alone-know-drivers'],
    ['a database driver in the domain', 'server/domain/emails.ts', 'better-sqlite3', 'engines-alone-know-drivers'],
    ['a database driver in a command', 'cli/doctor/disk.ts', 'better-sqlite3', 'engines-alone-know-drivers'],
    ['an engine that the store imports', 'server/store/messages.ts', './engines/sqlite/open.ts', 'engines-are-opened-in-four-files'],
    ['an engine that the server imports', 'server/app.ts', './store/engines/sqlite/open.ts', 'engines-are-opened-in-four-files'],
    ['a test that imports the domain', 'test/http/emails.test.ts', '../../server/domain/accounts.ts', 'tests-look-from-outside'],
    ['a test that imports the store', 'test/crash/emails.test.ts', '../../server/store/database.ts', 'tests-look-from-outside'],
    ['a test of units that imports another folder', 'test/smtp/units/emails.test.ts', '../../../server/domain/accounts.ts', 'test-smtp-units'],
    ['a test of a file that imports another', 'test/config.test.ts', '../server/network.ts', 'test-of-a-file'],
    ['a database driver in a test', 'test/http/driver.test.ts', 'better-sqlite3', 'tests-use-doors-to-the-database'],
  ]
  let folder: string
  /** The rule and the file of each violation. */
  let violations: string[]

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-floors-'))
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json']) copyFileSync(join(root, file), join(folder, file))
    for (const [path, text] of Object.entries(accepted)) write(path, text)
    for (const [, path, module] of refused) write(path, `import * as refused from '${module}'\n\nexport default refused\n`)
    violations = await findViolations()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('have no violation where imports keep to them', () => {
    const files = refused.map(([, file]) => file)
    expect(violations.filter((violation) => !files.some((file) => violation.endsWith(`: ${file}`)))).to.deep.equal([])
  })

  for (const [title, file, , rule] of refused) {
    it(`fails the check: ${title}`, () => {
      expect(violations).to.include(`${rule}: ${file}`)
    })
  }

  function write(path: string, text: string) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  function findViolations(): Promise<string[]> {
    const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
    const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'server', 'cli', 'mcp', 'test']
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, { cwd: folder, maxBuffer: 1e7 }, (error, stdout, stderr) => {
        if (!stdout) return reject(error ?? new Error(stderr))
        const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }, from: string }[] } }
        resolve(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`))
      })
    })
  }
})
