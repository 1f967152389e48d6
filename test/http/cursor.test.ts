import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { sendRaw } from '../support/send-raw.ts'

interface List { total: number, cursor: string, data: { id: string, subject: string }[] }

describe('Lists: the cursor', () => {
  it('is before a mail that was answered 250 and is still being parsed', async () => {
    await using app = await openTestApp()
    const [address, other] = [await app.newAddress(), await app.newAddress()]
    await sendRaw(app.smtp.port, address.address, `Subject: long\r\n\r\n${'word '.repeat(600_000)}\r\n`)
    const [before, ofOther] = [await list(address.id), await list(other.id)]
    expect(before.total).to.equal(0)
    await app.settled()

    const after = await list(address.id, before.cursor)
    expect(after.data.map(({ subject }) => subject)).to.deep.equal(['long'])
    expect(before.cursor < after.data[0]!.id).to.equal(true)
    expect(ofOther.cursor > after.data[0]!.id, 'mail of another address does not hold it back').to.equal(true)
    expect((await list(address.id, after.cursor)).total).to.equal(0)

    async function list(id: string, from?: string): Promise<List> {
      const query = new URLSearchParams({ address_id: id, ...(from && { after: from }) })
      return (await app.api<List>('GET', `/emails?${query}`)).body
    }
  })
})
