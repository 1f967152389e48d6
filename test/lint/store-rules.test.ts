import { expect } from 'chai'
import { problemsOf } from '../support/lint-problems.ts'

describe('Tenant isolation: the linter forbids filters by owner outside of store/owner.ts', () => {
  const handWritten = [
    `sql.selectFrom('emails').where('account_id', '=', owner.accountId)`,
    `sql.selectFrom('emails').where('emails.account_id', '=', value('accountId'))`,
    `sql.deleteFrom('emails').where('mode', '=', owner.mode)`,
    `sql.selectFrom('emails').where((row) => row.and([row('account_id', '=', owner.accountId), row('mode', '=', owner.mode)]))`,
    `sql.selectFrom('emails').where('account_id', 'in', accounts)`,
    'db.execute(`select id from emails where account_id = ?`, [accountId])',
    `db.execute('select id from emails where emails."mode" = ?', [mode])`,
  ]
  for (const code of handWritten) {
    it(`refuses ${code}`, async () => {
      expect(await problemsOf(code, 'server/store/mail/emails.ts')).to.deep.equal([
        'The filter by owner stands once: use ownedBy or ofAccount of server/store/owner.ts.',
      ])
    })
  }

  it('refuses a filter above the store too', async () => {
    expect(await problemsOf(handWritten[0]!, 'server/domain/emails.ts')).to.have.length(1)
  })

  it('accepts ownedBy, and joins by owner', async () => {
    const code = `
      sql.selectFrom('emails').$call(ownedBy(owner)).where('id', '=', id)
      sql.selectFrom('api_keys').innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      sql.selectFrom('totals').crossJoin('audit_logs').whereRef('audit_logs.account_id', '=', 'totals.account_id')`
    expect(await problemsOf(code, 'server/store/mail/emails.ts')).to.deep.equal([])
  })
})

describe('Store: the linter forbids column names outside of it', () => {
  for (const code of ['insertEmail(tx, { message_id: id })', 'email.message_id', 'const { message_id } = email']) {
    it(`refuses ${code} above it`, async () => {
      expect(await problemsOf(code, 'server/domain/emails.ts')).to.deep.equal(['Names of columns stay in server/store: use camelCase.'])
      expect(await problemsOf(code, 'server/store/mail/emails.ts')).to.deep.equal([])
    })
  }
})

describe('Database engines: the linter forbids dialects outside of store/engines', () => {
  const problemsAt = (file: string) => problemsOf("import { SqliteDialect } from 'kysely'", file, 'no-restricted-imports')

  it('a dialect in the store', async () => {
    expect(await problemsAt('server/store/database.ts')).to.have.length(1)
    expect(await problemsAt('server/store/engines/sqlite/open.ts')).to.deep.equal([])
  })
})
