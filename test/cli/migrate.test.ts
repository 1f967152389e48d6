import { expect } from 'chai'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createNewerDatabase, createOlderDatabase, fillDatabase } from '../support/store/database-files.ts'
import { waitForFile } from '../support/wait-for-file.ts'
import { expectFailure, useDatabaseFolder, variablesOf } from './database-folder.ts'
import { start } from './run.ts'

describe('CLI: migrate', function () {
  const folder = useDatabaseFolder()

  it('shows the migrations of an older database, tries them on a copy, and applies them', async () => {
    await folder.createAccount('ada@example.org')
    expect(JSON.parse((await folder.run(['migrate', '--json'])).stdout)).to.deep.include({ database: folder.database, dryRun: false, migrations: [] })
    const older = join(folder.path, 'older.db')
    const { schema, missing } = await createOlderDatabase(older)
    const before = (await stat(older)).mtimeMs
    const tried = await folder.run(['migrate', '--dry-run', '--json'], older)
    expect(JSON.parse(tried.stdout)).to.deep.include({ dryRun: true, schema, migrations: missing })
    expect((await stat(older)).mtimeMs).to.equal(before)
    expect((await readdir(folder.path)).filter((name) => name.startsWith('older.db'))).to.deep.equal(['older.db'])
    const text = await folder.run(['migrate'], older)
    expect(text.stdout).to.equal(`${older}: schema ${schema}\n${missing.map((name) => `applied ${name}\n`).join('')}`)
    expect((await folder.run(['migrate'], older)).stdout).to.match(/, up to date\n$/)
    const newer = join(folder.path, 'newer.db')
    createNewerDatabase(newer)
    expectFailure(await folder.run(['migrate'], newer), /was written by a newer Mayfly \(it has 9999-future\)\. Use that version\./)
  })

  it('--dry-run removes its copy at SIGINT and SIGTERM, and the next one removes that of a killed one', async () => {
    const older = join(folder.path, 'older.db')
    const { missing } = await createOlderDatabase(older)
    fillDatabase(older, 64 * 1024 * 1024)
    const dryRun = () => start(['migrate', '--dry-run', '--json'], variablesOf(older))
    for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
      await using running = dryRun()
      await waitForFile(folder.path, (name) => name.includes('-dry-run-'), running.ended)
      expect(await running.stop(signal)).to.deep.equal({ code, stdout: '', stderr: '' })
      expect(await readdir(folder.path)).to.deep.equal(['older.db'])
    }
    await using killed = dryRun()
    await waitForFile(folder.path, (name) => name.includes('-dry-run-'), killed.ended)
    await killed.stop('SIGKILL')
    expect((await readdir(folder.path)).length).to.be.greaterThan(1)
    await Promise.all([dryRun(), dryRun()].map(async ({ ended }) => {
      const { stdout, stderr } = await ended
      expect([JSON.parse(stdout).migrations, stderr]).to.deep.equal([missing, ''])
    }))
    expect(await readdir(folder.path)).to.deep.equal(['older.db'])
  })
})
