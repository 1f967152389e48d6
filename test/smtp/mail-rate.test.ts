import { expect } from 'chai'
import { mailRate } from '../../server/smtp/mail-rate.ts'

describe('Bytes of mail per second and network', () => {
  let now: number
  let take: ReturnType<typeof mailRate>

  beforeEach(() => {
    now = 0
    take = mailRate(1_000_000, () => now)
  })

  it('have no limit while one network sends alone', () => {
    for (let i = 0; i < 100; i++) expect(take('a', 1_000_000)).to.equal(0)
  })

  it('are limited while another network sends, too', () => {
    take('a', 100)
    take('b', 100)
    expect(take('a', 1_000_000)).to.equal(0)
    expect(take('a', 100)).to.equal(950) // a second, less the 50 ms that a network may be ahead
    expect(take('b', 100)).to.equal(0)
  })

  it('are not limited by what a network has sent alone', () => {
    for (let i = 0; i < 100; i++) take('a', 1_000_000)
    take('b', 100)
    expect(take('a', 100)).to.equal(0)
  })

  it('have no limit again a second after the other network has sent its last mail', () => {
    take('a', 100)
    take('b', 100)
    take('a', 2_000_000)
    now = 1_001
    expect(take('a', 1_000_000)).to.equal(0)
  })
})
