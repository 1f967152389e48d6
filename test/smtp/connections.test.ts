import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { clientNetwork } from '../../server/network.ts'
import { exceedsClientLimits } from '../../server/smtp/client-limits.ts'
import { openTestApp } from '../support/app.ts'
import { openSession, playSession, type Step } from '../support/play-session.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const from: Step = ['MAIL FROM:<a@example.org>', 250]

describe('SMTP connections', () => {
  it('beyond the maximum end the session with the longest idle time in favour of the new one', async () => {
    await using app = await openTestApp({ smtpLimits: { connections: 2, evictableMs: 0 } })
    const { id, address } = await app.newAddress()
    await using busy = await openSession(app.smtp)
    await using idle = await openSession(app.smtp)
    await busy.play([hello, from])
    await playSession(app.smtp, [hello, ...delivery(address)])
    expect(await idle.ended()).to.equal('421 4.3.2 Too many connections, and this one is idle\r\n')
    await busy.play([[`RCPT TO:<${address}>`, 250], ['DATA', 354], ['hello\r\n.', 250]])
    expect(await rawMails(app, id)).to.have.length(2)
  })

  it('that send a mail are not ended while another session is idle', async () => {
    await using app = await openTestApp({ smtpLimits: { connections: 2, evictableMs: 0 } })
    const { id, address } = await app.newAddress()
    await using sending = await openSession(app.smtp)
    await sending.play([hello, ...delivery(address).slice(0, 3)])
    await using idle = await openSession(app.smtp)
    await idle.play([hello])
    sending.send('x'.repeat(600_000))
    while (app.app.smtp.heldBytes < 200_000) await new Promise(setImmediate)
    await using third = await openSession(app.smtp)
    expect(third.greeting).to.match(/^220/)
    expect(await idle.ended()).to.match(/^421 4\.3\.2/)
    await sending.play([['\r\n.', 250]])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('cause no error when they are reset before they are accepted', async () => {
    await using app = await openTestApp()
    const reset = `const socket = require('node:net').connect(${app.smtp.port}, '127.0.0.1', () => socket.resetAndDestroy())`
    for (let i = 0; i < 3; i++) {
      execFileSync(process.execPath, ['-e', reset]) // blocks this process, so the reset precedes the accept
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await using session = await openSession(app.smtp)
    expect(session.greeting).to.match(/^220/)
  })

  it('beyond the limit of their address end no other session', async () => {
    await using app = await openTestApp({ smtpLimits: { connections: 2, connectionsPerAddress: 2, evictableMs: 0 } })
    await using first = await openSession(app.smtp)
    await using second = await openSession(app.smtp)
    await using third = await openSession(app.smtp)
    expect(third.greeting).to.match(/^421/)
    for (const session of [first, second]) await session.play([['NOOP', 250]])
  })

  it('are counted by network and by address', () => {
    const caps = { connectionsPerAddress: 2, connectionsPerNetwork: 3 }
    const client = (address: string) => ({ address, network: clientNetwork(address), isInSession: true })
    const isTooMany = (addresses: string[]) => exceedsClientLimits(client(addresses.at(-1)!), addresses.slice(0, -1).map(client), caps)
    expect(isTooMany(['198.51.101.1', '198.51.101.2', '198.51.101.3'])).to.equal(false)
    expect(isTooMany(['198.51.101.1', '198.51.101.2', '198.51.101.3', '198.51.101.4'])).to.equal(true)
    expect(isTooMany(['198.51.101.1', '198.51.101.2', '198.51.101.3', '198.51.102.4'])).to.equal(false)
    expect(isTooMany(['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'])).to.equal(false)
    expect(isTooMany(['127.0.0.1', '127.0.0.1', '127.0.0.1'])).to.equal(true)
  })

  for (const [address, network] of [
    ['203.0.112.7', '203.0.112.0'], ['::ffff:203.0.112.7', '203.0.112.0'], ['2a00:1450:4001:82f::200e', '2a00:1450:4001:82f::'],
    ['2a00:1450:4001:82f:1:2:3:4', '2a00:1450:4001:82f::'], ['127.0.0.1', '127.0.0.1'], ['10.1.2.3', '10.1.2.3'], ['::1', '::1'], ['fd00::1', 'fd00::1'],
  ] as const) {
    it(`from ${address} are of the network ${network}`, () => {
      expect(clientNetwork(address)).to.equal(network)
    })
  }
})
