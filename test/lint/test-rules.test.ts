import { expect } from 'chai'
import { problemsOf } from '../support/lint-problems.ts'

describe('SQL of tests: one folder', () => {
  const queries = [
    `app.app.db.sql.selectFrom('emails').selectAll().execute()`,
    `tx.sql.updateTable('addresses').set({ expires_at: 0 }).execute()`,
    `tx.sql.insertInto('domains').values(row).execute()`,
    `tx.sql.deleteFrom('outbox').execute()`,
    `sqlite.prepare('select count(*) from emails').pluck().get()`,
    'sqlite.exec(`delete from ${table}`)',
    `app.app.db.execute('select 1', [])`,
    'sql`select 1`.execute(tx.sql)',
  ]
  for (const code of queries) {
    it(`refuses ${code} in a test`, async () => {
      expect(await problemsOf(code, 'test/http/emails.test.ts')).to.deep.equal([
        'SQL of tests stands in test/support/store: ask through the API, or use or add a function there.',
      ])
    })

    it(`accepts ${code} in the doors to the database, and in tests of the store`, async () => {
      for (const file of ['test/support/store/rows.ts', 'test/store/database.test.ts']) expect(await problemsOf(code, file)).to.deep.equal([])
    })
  }

  it('accepts regular expressions, and other functions of these names', async () => {
    expect(await problemsOf('/a/.exec(text); target.prepare(input); await query.execute()', 'test/http/emails.test.ts')).to.deep.equal([])
  })
})
