import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { countRows } from '../support/store/rows.ts'

const tables = ['messages', 'emails', 'attachments', 'message_chunks', 'authentications', 'outbox', 'jobs'] as const

describe('Mail: the warm-up after the start', () => {
  it('leaves no trace in the database, in the metrics and for a wait', async () => {
    await using app = await openTestApp()
    const { id, address } = await app.newAddress()
    await app.settled()
    const { intake } = app.app
    const counts = () => Promise.all(tables.map((table) => countRows(app, table)))
    const metrics = async () => (await (await fetch(`${app.url}/metrics`)).text()).split('\n').filter((line) => line.startsWith('mayfly_mail_'))
    const before = [await counts(), await metrics()]
    await intake.warmUp()
    await app.settled()
    expect([await counts(), await metrics()]).to.deep.equal(before)
    await app.send({ to: address, subject: 'first', text: 'Your code is 482913.' })
    expect((await app.onlyEmail(id)).codes).to.deep.equal(['482913'])
    expect((await metrics()).some((line) => /^mayfly_mail_parse_seconds_count\S* 1$/.test(line))).to.equal(true)
  })
})
