import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { signIn } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { rowsOf } from '../support/store/rows.ts'

const adminEmail = 'root@example.com'
const unknownId = '019c0000-0000-7000-8000-000000000000'

describe('Administration', () => {
  it('todo', async () => {
    await using app = await openTestApp()
    const a = await signIn(app)
    expect((await a.api('GET', '/admin/accounts')).status).to.equal(403)
    const [{ email }] = (await app.app.db.sql.selectFrom('accounts').select('email').orderBy('id').execute()) as [{ email: string }]
    const admin = await signIn(app, { email })
    const l = (await admin.api('GET', '/admin/accounts'))
    console.log(l.status, JSON.stringify(l.body))
    const c = (await admin.api('POST', '/admin/accounts', { body: { email: 'Grace@example.com', plan: 'free' } }))
    console.log(c.status, JSON.stringify(c.body))
    const u = (await admin.api('PATCH', '/admin/accounts/' + c.body.data.id, { body: { plan: 'pro' } }))
    console.log(u.status, JSON.stringify(u.body))
    const { data: address } = (await a.api('POST', '/addresses', { body: {} })).body
    await a.api('POST', '/emails', { body: { fromAddressId: address.id, to: 'x@example.org', subject: 'Hi', body: 'text' } })
    await app.settled()
    const e = (await admin.api('GET', '/admin/captured-emails'))
    console.log(e.status, JSON.stringify(e.body))
    const g = (await admin.api('GET', '/admin/captured-emails/' + e.body.data[0].id))
    console.log(g.status, JSON.stringify(g.body))
    const d = (await admin.api('DELETE', '/admin/accounts/' + c.body.data.id))
    console.log(d.status, JSON.stringify(d.body))
  })
})
