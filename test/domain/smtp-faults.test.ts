import { expect } from 'chai'
import { limitedFaults } from '../../server/domain/smtp-faults.ts'
import { openTestApp } from '../support/app.ts'

describe('SMTP faults: rates', () => {
  for (const [name, ofTry] of [
    ['an address', (n: number) => ({ addressId: 'one', network: String(n) })], ['a network', (n: number) => ({ addressId: String(n), network: 'one' })],
  ] as const) {
    it(`refuse the tries of ${name} beyond 1,000 at once and 100 a second`, async () => {
      await using app = await openTestApp()
      let now = 0
      const takeFault = limitedFaults(app.app, () => now)
      const errors = async (count: number) => {
        const tried = await Promise.all(Array.from({ length: count }, (_, n) => {
          const { addressId, network } = ofTry(n)
          return takeFault(addressId, { stage: 'rcpt', hasLogin: false, network, sender: '', recipient: '' }).catch((error: unknown) => error)
        }))
        return tried.flatMap((error) => error ?? [])
      }
      const [error, ...others] = await errors(1_001)
      expect(others).to.deep.equal([])
      expect(error).to.have.nested.property('reply.status', '4.7.0')
      now += 1_000
      expect(await errors(101)).to.have.length(1)
    })
  }
})
