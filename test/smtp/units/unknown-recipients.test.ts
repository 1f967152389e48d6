import { expect } from 'chai'
import { unknownRecipientDelays } from '../../../server/smtp/limited-server.ts'
import { smtpLimits } from '../../../server/smtp/limits.ts'

describe('SMTP unknown recipients: delay of the reply', () => {
  const limits = { unknownRecipients: 3, unknownRecipientsPerSecond: 2, unknownRecipientDelayMs: 2_000 }

  function openDelays() {
    let now = 1_000_000
    const delayOf = unknownRecipientDelays(limits, () => now)
    return { delays: (count: number, network = 'a') => Array.from({ length: count }, () => delayOf(network)), pass: (ms: number) => { now += ms } }
  }

  it('grows with their number, up to a maximum', () => {
    expect(openDelays().delays(9)).to.deep.equal([0, 0, 0, 500, 1_000, 1_500, 2_000, 2_000, 2_000])
  })

  it('is separate for each network', () => {
    const { delays } = openDelays()
    delays(100, 'a')
    expect(delays(4, 'b')).to.deep.equal([0, 0, 0, 500])
  })

  it('ends soon after the last one, regardless of their number', () => {
    const { delays, pass } = openDelays()
    delays(100_000)
    pass(2_000 + 1_500)
    expect(delays(4)).to.deep.equal([0, 0, 0, 500])
  })

  it('begins after 50 of a network by default, with half a second more for each', () => {
    const delayOf = unknownRecipientDelays(smtpLimits, () => 1_000_000)
    expect(Array.from({ length: 52 }, () => delayOf('a')).slice(48)).to.deep.equal([0, 0, 500, 1_000])
  })
})
