import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/clock.ts'
import { listAddresses } from '../../server/store/addresses/address-list.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import { releaseOtherClaims } from '../../server/store/jobs/claims.ts'
import { claimJobs } from '../../server/store/jobs/jobs.ts'
import { migrations } from '../../server/store/migrations/index.ts'

describe('Migrations', () => {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-migrations-')) })
  afterEach(() => rm(folder, { recursive: true }))

  /** Creates a database in the state before the migration. */
  async function databaseBefore(name: string): Promise<Sqlite.Database> {
    const { engine, close } = await openDatabase(join(folder, 'dialect.db'), systemClock)
    const sqlite = new Sqlite(join(folder, 'mayfly.db'))
    sqlite.exec('create table migrations (name text primary key, applied_at bigint not null)')
    for (const migration of migrations.slice(0, migrations.findIndex((each) => each.name === name))) {
      for (const statement of migration.statements(engine)) sqlite.exec(statement)
      sqlite.prepare('insert into migrations values (?, 0)').run(migration.name)
    }
    await close()
    return sqlite
  }

  it('0010-active-addresses neither counts nor lists as active the addresses of a domain that is not verified', async () => {
    const sqlite = await databaseBefore('0010-active-addresses')
    const later = Date.now() + 3_600_000
    sqlite.exec(`insert into accounts (id, email, plan, created_at) values ('account', 'a@example.org', 'business', 0);
      insert into domains (id, account_id, mode, domain, token, status, created_at, pending_since)
        values ('verified', 'account', 'live', 'a.example', 't', 'verified', 0, 0), ('pending', 'account', 'live', 'b.example', 't', 'pending', 0, 0);
      insert into addresses (id, account_id, mode, address, alias, created_at, expires_at, is_expired, domain_id) values
        ('1', 'account', 'live', 'a@default.example', 'default', 0, ${later}, 0, null),
        ('2', 'account', 'live', 'a@a.example', 'verified', 0, ${later}, 0, 'verified'),
        ('3', 'account', 'live', 'a@b.example', 'pending', 0, ${later}, 0, 'pending'),
        ('4', 'account', 'live', 'a@c.example', 'gone', 0, ${later}, 0, 'gone'),
        ('5', 'account', 'live', 'b@b.example', 'over', 0, 1, 1, 'pending');
      insert into totals (account_id, mode, addresses, active_addresses, audit_logs) values ('account', 'live', 5, 4, 0)`)
    sqlite.close()

    const db = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    const found = async (status: 'active' | 'expired') => {
      const { addresses, total } = await listAddresses(db, { accountId: 'account', mode: 'live', bound: undefined }, { status, limit: 20, offset: 0 })
      return { aliases: addresses.map(({ alias }) => alias), total }
    }
    expect(await found('active')).to.deep.equal({ aliases: ['verified', 'default'], total: 2 })
    expect(await found('expired')).to.deep.equal({ aliases: ['over', 'gone', 'pending'], total: 3 })
    await db.close()
  })

  it('0025-mail-counts takes the Free accounts of before as signed up, except the first of the database', async () => {
    const sqlite = await databaseBefore('0025-mail-counts')
    sqlite.exec(`insert into accounts (id, email, plan, created_at, is_admin) values
      ('1', 'first@example.org', 'free', 1, 1), ('2', 'second@example.org', 'free', 2, 0), ('3', 'third@example.org', 'pro', 3, 0)`)
    sqlite.close()
    const db = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    const signedUp = await db.sql.selectFrom('accounts').select('email').where('has_signed_up', '=', 1).execute()
    expect(signedUp.map(({ email }) => email)).to.deep.equal(['second@example.org'])
    await db.close()
  })

  it('0015-sessions makes the oldest account that of an administrator', async () => {
    const sqlite = await databaseBefore('0015-sessions')
    sqlite.exec(`insert into accounts (id, email, plan, created_at) values
      ('1', 'second@example.org', 'business', 2), ('2', 'first@example.org', 'free', 1), ('3', 'third@example.org', 'pro', 3)`)
    sqlite.close()
    const db = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    const admins = await db.sql.selectFrom('accounts').select('email').where('is_admin', '=', 1).execute()
    expect(admins).to.deep.equal([{ email: 'first@example.org' }])
    await db.close()
  })

  it('0018-nodes keeps leased jobs claimed, until the next start makes them due', async () => {
    const sqlite = await databaseBefore('0018-nodes')
    const inAnHour = Date.now() + 3_600_000
    sqlite.exec(`insert into jobs (id, task, payload, run_at, attempts, is_leased, lane) values
      ('leased', 'purge-mailbox', '{}', ${inAnHour}, 1, 1, ''), ('waiting', 'purge-mailbox', '{}', 1, 0, 0, '')`)
    sqlite.close()
    const db = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    const claim = (claimedBy: string) => inTransaction(db, (tx) => claimJobs(tx, { task: 'purge-mailbox', laneKey: '', limit: 10, claimedBy }))
    const claimed = (id: string, attempts: number) =>
      ({ id, claimedBy: 'node', attempts, task: 'purge-mailbox', laneKey: '', payload: {} })
    expect(await claim('node')).to.deep.equal([claimed('waiting', 1)])
    await inTransaction(db, (tx) => releaseOtherClaims(tx, 'node'))
    expect(await claim('node')).to.deep.equal([claimed('leased', 2)])
    await db.close()
  })
})
