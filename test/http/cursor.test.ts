import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { sendRaw } from '../support/send-raw.ts'

interface List { total: number, hasMore: boolean, cursor: string, data: { id: string, subject: string }[] }

describe('Lists: the cursor', () => {
  it('is before a mail that was answered 250 and is still being parsed', async () => {
    await using app = await openTestApp()
    const address = await app.newAddress()
    await sendRaw(app.smtp.port, address.address, `Subject: long\r\n\r\n${'word '.repeat(600_000)}\r\n`)
    const before = await list(address.id)
    expect(before.total).to.equal(0)
    await app.send({ to: address.address, subject: 'short' })
    await app.settled()

    const after = await list(address.id, before.cursor)
    expect(after.data.map(({ subject }) => subject)).to.have.members(['long', 'short'])
    const found = await list(address.id, before.cursor, { q: 'Subject short', limit: '1' })
    expect(found.data).to.deep.equal([])
    expect((await list(address.id, before.cursor, { q: 'short' })).data.map(({ subject }) => subject)).to.deep.equal(['short'])
    expect((await list(address.id, after.cursor)).total).to.equal(0)
    expect((await list(address.id, after.cursor, { q: 'short' })).total).to.equal(0)
    const [newest, oldest] = after.data
    expect((await list(address.id, oldest!.id)).data.map(({ id }) => id), 'in the order of publication').to.deep.equal([newest!.id])
    expect((await list(address.id, newest!.id)).total).to.equal(0)

    async function list(id: string, from?: string, filter = {}): Promise<List> {
      const query = new URLSearchParams({ address_id: id, ...(from && { after: from }), ...filter })
      return (await app.api<List>('GET', `/emails?${query}`)).body
    }
  })

  it('is followed by sent mail too, and by pages of the mail after it', async () => {
    await using app = await openTestApp()
    const { id, address } = await app.newAddress()
    const list = async (query: Record<string, string>) =>
      (await app.api<List>('GET', `/emails?${new URLSearchParams({ address_id: id, ...query })}`)).body
    await app.send({ to: address, subject: 'before' })
    const { cursor } = await list({})
    const sent = await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.com', subject: 'sent', body: 'text' } })
    expect(sent.status).to.equal(202)
    for (const subject of ['one', 'two', 'three']) await app.send({ to: address, subject })
    const subjects = ({ data }: List) => data.map(({ subject }) => subject)
    expect(subjects(await list({ after: cursor }))).to.deep.equal(['three', 'two', 'one', 'sent'])
    expect(subjects(await list({ after: cursor, type: 'sent' }))).to.deep.equal(['sent'])
    const first = await list({ after: cursor, limit: '2' })
    expect([subjects(first), first.total, first.hasMore]).to.deep.equal([['three', 'two'], 4, true])
    const rest = await list({ after: cursor, limit: '2', before: first.data[1]!.id })
    expect([subjects(rest), rest.hasMore]).to.deep.equal([['one', 'sent'], false])
    const { id: unknown } = sent.body.data
    expect(subjects(await list({ after: cursor, before: `${unknown.slice(0, -4)}ffff` })), 'before an id that no mail has').to.deep.equal(['sent'])
  })
})
