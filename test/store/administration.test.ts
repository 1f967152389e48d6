import { expect } from 'chai'
import { findCapturedMail, listCapturedMails } from '../../server/store/outgoing/captured-mails.ts'
import { listManagedAccounts } from '../../server/store/accounts/managed-accounts.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const count = 25_000
const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`

describe('Administration: lists of a large server', function () {
  let app: TestApp
  let ids: { first: string, second: string }

  before(async () => {
    app = await openTestApp()
    // 20 minutes before the test's clock: the sweep removes verification mails that are older
    const id = "'019ceb80-' || substr(cast(10000 + i / 4096 as text), 2) || '-7000-8000-' || substr(cast(1000000000000 + i as text), 2)"
    await app.app.db.commit(async (tx) => {
      await tx.execute(`${numbers} insert into accounts (id, email, plan, created_at, deleted_at)
        select ${id}, 'User' || i || '@example.org', 'free', 0, case when i = 2 then 0 end from n`, [])
      await tx.execute(`insert into messages (id, received_at, size, has_attachments, from_address, from_name, subject, preview, envelope,
          codes, links, headers, body_text, body_html) values ('message', 0, 1, 0, '', '', '', '', '{}', '[]', '[]', '{}', '', '')`, [])
      // a captured mail of the first account, and others that are newer: of a deleted account, and of none
      await tx.execute(`${numbers} insert into deliveries (id, account_id, mode, kind, message_id, recipient, status, attempts, created_at)
        select ${id}, coalesce((select id from accounts where email = case when i = 1 then 'User1@example.org' when i % 2 = 1 then 'User2@example.org' end), ''),
          'live', 'verification', 'message', 'a@example.org', 'captured', 1, 0 from n`, [])
    })
    const [first, second] = await rawSql<{ id: string }>(app.app.db, 'select id from accounts order by id limit 2')
    ids = { first: first!.id, second: second!.id }
  })
  after(() => app[Symbol.asyncDispose]())

  it('a search finds the oldest account in any case, and no deleted one', async () => {
    const { db } = app.app
    const found = await listManagedAccounts(db, { search: 'USER1@', limit: 20 })
    expect([found.accounts.map(({ id }) => id), found.hasMore]).to.deep.equal([[ids.first], false])
    expect((await listManagedAccounts(db, { search: 'user2@', limit: 20 })).accounts).to.deep.equal([])
    const all = await listManagedAccounts(db, { search: 'user1', limit: 100 })
    expect([all.accounts.length, all.hasMore]).to.deep.equal([100, true])
  })

  it('a list of captured mail finds the oldest mail behind those of a deleted account', async () => {
    const { mails, hasMore } = await listCapturedMails(app.app.db, { limit: 20 })
    expect([mails.map(({ id }) => id), hasMore]).to.deep.equal([[ids.first], false])
    const found = [await findCapturedMail(app.app.db, ids.first), await findCapturedMail(app.app.db, ids.second)]
    expect(found.map(Boolean)).to.deep.equal([true, false])
  })

  it('other requests are answered between the steps', async () => {
    let turns = 0
    const searching = listManagedAccounts(app.app.db, { search: 'no such account', limit: 20 }).then(() => { turns = -turns })
    while (turns >= 0) {
      await new Promise(setImmediate)
      if (turns >= 0) turns++
    }
    await searching
    expect(turns).to.be.at.most(-2)
  })
})
