import { expect } from 'chai'
import { ESLint, Linter } from 'eslint'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../build/paths.ts'

describe('Database engines: their code stays in server/store/engines', function () {
  this.timeout(60_000)
  const driver = "import Sqlite from 'better-sqlite3'\n\nexport const open = () => new Sqlite('')\n"
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
    'package.json': '{ "name": "fixture", "type": "module", "dependencies": { "better-sqlite3": "1.0.0" } }',
    'node_modules/better-sqlite3/package.json': '{ "name": "better-sqlite3", "version": "1.0.0", "main": "index.js" }',
    'node_modules/better-sqlite3/index.js': 'module.exports = class {}\n',
    'server/store/engines/sqlite/open.ts': driver,
    'server/store/database.ts': "export { open } from './engines/sqlite/open.ts'\n",
    'cli/serve.ts': "import '../server/store/database.ts'\n",
  }
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-engines-'))
    copyFileSync(join(root, '.dependency-cruiser.cjs'), join(folder, '.dependency-cruiser.cjs'))
    for (const [path, text] of Object.entries(files)) write(path, text)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('accepts a driver in the folder of its engine, which the database opens', async () => {
    expect(await violations()).to.deep.equal([])
  })

  for (const path of ['server/store/jobs.ts', 'server/domain/emails.ts', 'cli/doctor/disk.ts']) {
    it(`fails the check: a driver that ${path} imports`, async () => {
      write(path, driver)
      expect(await violations()).to.deep.equal([`engines-alone-know-drivers ${path}`])
    })
  }

  for (const path of ['server/store/jobs.ts', 'server/app.ts']) {
    it(`fails the check: an engine that ${path} imports`, async () => {
      const up = '../'.repeat(path.split('/').length - 1)
      write(path, `import type { open } from '${up}server/store/engines/sqlite/open.ts'\n\nexport type Open = typeof open\n`)
      expect(await violations()).to.deep.equal([`engines-are-opened-in-two-files ${path}`])
    })
  }

  it('fails the check: a dialect that is made elsewhere', async () => {
    const problemsAt = async (file: string) => {
      const { rules } = await new ESLint({ cwd: root }).calculateConfigForFile(file) as { rules: Linter.RulesRecord }
      const rule = { 'no-restricted-imports': rules['no-restricted-imports'] ?? 'off' } satisfies Linter.RulesRecord
      return new Linter().verify("import { SqliteDialect } from 'kysely'", [{ rules: rule }]).map(({ ruleId }) => ruleId)
    }
    expect(await problemsAt('server/store/database.ts')).to.deep.equal(['no-restricted-imports'])
    expect(await problemsAt('server/store/engines/sqlite/connection.ts')).to.deep.equal([])
  })

  function write(path: string, text: string) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  /** The rules that the imports of the fixture break, each with the importing file. */
  function violations(): Promise<string[]> {
    const args = [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', '--output-type', 'json', 'server', 'cli']
    return new Promise((resolve, reject) => {
      const child = execFile(process.execPath, args, { cwd: folder }, (_error, stdout, stderr) => {
        if (stdout === '') return reject(new Error(stderr))
        const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string, rule: { name: string } }[] } }
        const found = summary.violations.map(({ from, rule }) => `${rule.name} ${from}`)
        if (child.exitCode !== 0 && found.length === 0) return reject(new Error(stderr))
        resolve(found)
      })
    })
  }
})
