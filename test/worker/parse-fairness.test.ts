import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'

const long = 'a line of a long mail\r\n'.repeat(50_000)

describe('Job queue: rotation of accounts', () => {
  it('parses the long mail of another account before most of the mails that one account received earlier', async function () {
    await using app = await openTestApp()
    const mine = await app.newAddress()
    const other = (await app.api('POST', '/addresses', { key: await app.newKey(), body: {} })).body.data
    const { intake } = app.app
    const publish = intake.publish
    const all = Promise.withResolvers<void>()
    const published: string[] = []
    intake.publish = async (message, problem, claim) => {
      await all.promise
      published.push(message.envelope.recipients[0]!.addressId)
      return publish(message, problem, claim)
    }
    for (let i = 0; i < 8; i++) await app.send({ to: mine.address, text: long })
    await app.send({ to: other.address, text: long })
    all.resolve()
    await app.settled()
    expect(published).to.have.length(9)
    // two jobs are ahead of it: the mail that is being parsed, and the job that the worker has claimed already
    expect(published.indexOf(other.id)).to.be.at.most(2)
  })
})
