import { expect } from 'chai'
import { setTimeout as pass } from 'node:timers/promises'
import { openMailRate } from '../../../server/smtp/client-limits.ts'
import { openTestApp } from '../../support/app.ts'
import { openSession } from '../../support/play-session.ts'
import { sendRaw } from '../../support/send-raw.ts'
import { delivery, hello } from '../mailbox.ts'

describe('SMTP rate: bytes of mail per second and network', () => {
  /** Takes bytes for each network. Returns those of the networks that are read at once. */
  function takeAll(takes: [network: string, bytes: number][], isClosed = () => false) {
    const rate = openMailRate(1_000_000)
    const read: string[] = []
    for (const [network, bytes] of takes) rate.take(network, bytes, isClosed, () => read.push(network))
    return read
  }

  it('have no limit while one network sends alone', () => {
    expect(takeAll(Array(100).fill(['a', 1_000_000]))).to.have.length(100)
  })

  it('are limited while another network sends, too', () => {
    expect(takeAll([['a', 100], ['b', 100], ['a', 1_000_000], ['a', 100], ['b', 100]])).to.deep.equal(['a', 'b', 'a', 'b'])
  })

  it('are not limited by the bytes that a network has sent alone', () => {
    expect(takeAll([['a', 50_000_000], ['b', 100], ['a', 100]])).to.deep.equal(['a', 'b', 'a'])
  })

  it('have no limit again a second after the other network has sent its last mail', async function () {
    const rate = openMailRate(1_000)
    for (const network of ['a', 'b']) rate.take(network, 1, () => false, () => {})
    rate.take('a', 60_000, () => false, () => {}) // a minute at this rate
    await new Promise<void>((resolve) => rate.take('a', 1, () => false, resolve))
  })

  it('of incomplete mails do not delay a later mail of the network', async function () {
    await using app = await openTestApp({ isRealTime: true, smtpLimits: { mailBytesPerSecond: 10_000 } })
    const { address } = await app.newAddress()
    const short = 'Subject: short\r\n\r\ntext\r\n'
    await sendRaw(app.smtp.port, address, short, undefined, '127.0.0.1')
    await sendRaw(app.smtp.port, address, short, undefined, '127.0.0.2')
    for (let i = 0; i < 10; i++) {
      await using session = await openSession(app.smtp)
      await session.play([hello, ...delivery(address).slice(0, 3)])
      session.send('x'.repeat(60_000)) // six seconds at this rate
      await pass(20)
    }
    await sendRaw(app.smtp.port, address, short, undefined, '127.0.0.1')
  })
})
