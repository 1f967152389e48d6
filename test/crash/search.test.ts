import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import Sqlite from 'better-sqlite3'
import { openTestApp } from '../support/app.ts'
import { indexed, indexRows, rowsOf } from '../support/search.ts'
import { crashRounds } from './rounds.ts'

describe('Crash recovery: search index', () => {
  it('has every mail exactly once after 6 kills under load', async function () {
    this.timeout(60_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-crash-'))
    try {
      await crashRounds(6, folder)
      const database = `${folder}/mayfly.db`
      await using app = await openTestApp({ database })
      await app.settled()
      await indexed(app)
      const mails = await rowsOf(app, 'emails')
      expect([indexRows(app), await rowsOf(app, 'email_search_rows')]).to.deep.equal([mails, mails])
      const key = await app.newKey({ account: 'owner@mail.localhost' })
      expect((await app.api('GET', '/emails?q=crash.example', { key })).body.total).to.equal(Math.min(1_000, mails))
      const sqlite = new Sqlite(database)
      sqlite.exec(`insert into email_search (email_search) values ('integrity-check')`)
      sqlite.close()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
