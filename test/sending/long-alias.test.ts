import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'

describe('Sending: recipients with a long alias', () => {
  const newAccount = shareTestApp()

  for (const length of [64, 65, 100]) {
    it(`delivers to and from an address of this server with an alias of ${length} characters`, async () => {
      const app = await newAccount()
      const [from, long] = [await app.newAddress(), await app.newAddress({ alias: 'x'.repeat(length) })]
      for (const [sender, to, subject] of [[from, long.address, 'there'], [long, from.address, 'and back']] as const) {
        const { status, body } = await app.api('POST', '/emails', { body: { fromAddressId: sender.id, to, subject, body: 'Hello' } })
        expect(status, JSON.stringify(body)).to.equal(202)
        await app.settled()
        expect((await app.api('GET', `/emails/${body.data.id}`)).body.data).to.include({ to, status: 'sent', failureReason: null })
      }
      const received = async ({ id }: { id: string }) => (await app.listEmails({ address_id: id, type: 'received' })).map(({ subject }) => subject)
      expect([await received(long), await received(from)]).to.deep.equal([['there'], ['and back']])
    })
  }
})
