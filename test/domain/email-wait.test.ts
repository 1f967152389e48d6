import { expect } from 'chai'
import { firstCursor } from '../../server/domain/cursors.ts'
import { waitForEmail } from '../../server/domain/email-wait.ts'
import { openTestApp } from '../support/app.ts'
import { ownerOf } from '../support/store/accounts.ts'

describe('Waits: GET /emails/wait', () => {
  it('skip no stored mail for a caller that is gone: the cursor of the answer may still reach it', async () => {
    await using app = await openTestApp()
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'stored' })
    const ends = { timeoutMs: 1000, gone: AbortSignal.abort(), async reauthorize() {} }
    const wait = async (after: string) => waitForEmail(app.app, await ownerOf(app), { after }, ends)
    const found = await wait(firstCursor)
    expect((await app.api('GET', `/emails/${found.id}`)).body.data).to.include({ subject: 'stored' })
    expect(await wait(found.cursor)).to.include({ id: undefined })
  })
})
