import { expect } from 'chai'
import { openHangingServer } from '../support/receiver.ts'
import { openSendingWorld, sendEmail } from './world.ts'

describe('a destination that hangs', () => {
  it('holds up only its own mail: 500 to it do not delay one to another by more than a second', async function () {
    this.timeout(60_000)
    await using world = await openSendingWorld({ isRealTime: true })
    const { app, dns, receiver, from } = world
    // the app calls one port of all mail servers, so this one has an address of its own
    await using hanging = await openHangingServer({ host: '127.0.0.2', port: receiver.port })
    dns.zone['hanging.example'] = { MX: [{ exchange: 'mx.hanging.example', priority: 10 }] }
    dns.zone['mx.hanging.example'] = { A: [hanging.host] }
    await Promise.all(Array.from({ length: 500 }, () => sendEmail(app, from.id, { to: 'ada@hanging.example' })))
    const start = performance.now()
    const email = await sendEmail(app, from.id)
    const mail = await receiver.next()
    const milliseconds = performance.now() - start
    expect(mail.recipients).to.deep.equal(['ada@example.org'])
    expect(milliseconds).to.be.lessThan(1_000)
    expect(hanging.connections).to.be.greaterThan(0)
    expect(email.id).to.be.a('string')
    expect((await app.api('GET', '/emails?type=sent&limit=1')).body.total).to.equal(501)
  })
})
