import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { countRows } from '../support/store/rows.ts'
import { checkIndex, indexed, indexRows } from '../support/store/search-index.ts'
import { newDatabase } from '../support/new-database.ts'
import { crashRounds } from './rounds.ts'

describe('Crash recovery: search index', () => {
  it('has every mail exactly once after 6 kills under load', async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-crash-'))
    try {
      const database = await newDatabase(join(folder, 'mayfly.db'))
      await crashRounds(6, folder, database)
      await using app = await openTestApp({ database })
      await app.settled()
      await indexed(app)
      const mails = await countRows(app, 'emails')
      expect(await indexRows(app)).to.deep.equal([mails])
      const key = await app.newKey({ account: 'owner@mail.localhost' })
      expect((await app.api('GET', '/emails?q=crash.example', { key })).body.total).to.equal(Math.min(1_000, mails))
      await checkIndex(database)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
