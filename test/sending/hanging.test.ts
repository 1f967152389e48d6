import type { Socket } from 'node:net'
import { expect } from 'chai'
import { openHangingServer } from '../support/receiver.ts'
import { openSendingWorld, sendEmail } from './world.ts'

/** A greeting, and a reply to EHLO that goes on beyond the timeouts for both. */
function replyWithoutEnd(socket: Socket) {
  socket.write('220 hanging.example\r\n')
  const lines = setInterval(() => socket.write('250-hanging.example\r\n'), 10_000)
  socket.once('close', () => clearInterval(lines))
}

describe('Sending: a destination that hangs', () => {
  it('delays only its own mail: one to another destination is sent while 500 to it wait', async function () {
    this.timeout(600_000) // for 501 mails beside other work
    await using world = await openSendingWorld({ isRealTime: true })
    const { app, dns, receiver, from } = world
    // the app uses the same port for all mail servers, so this one has its own IP address
    await using hanging = await openHangingServer({ host: '127.0.0.2', port: receiver.port })
    dns.zone['hanging.example'] = { MX: [{ exchange: 'mx.hanging.example', priority: 10 }] }
    dns.zone['mx.hanging.example'] = { A: [hanging.host] }
    await Promise.all(Array.from({ length: 500 }, () => sendEmail(app, from.id, { to: 'ada@hanging.example' })))
    const email = await sendEmail(app, from.id)
    const mail = await receiver.next()
    expect(mail.recipients).to.deep.equal(['ada@example.org'])
    expect(hanging.connections).to.be.greaterThan(0)
    expect(email.id).to.be.a('string')
    expect((await app.api('GET', '/emails?type=sent&limit=1')).body.total).to.equal(501)
  })

  it('delays only its account: mail to 100 of them leaves capacity for other accounts', async () => {
    await using world = await openSendingWorld({ isRealTime: true })
    const { app, dns, receiver, from } = world
    await using hanging = await openHangingServer({ host: '127.0.0.2', port: receiver.port }, replyWithoutEnd)
    const domains = Array.from({ length: 101 }, (_, i) => `hanging${i}.example`)
    for (const domain of domains) dns.zone[domain] = { A: [hanging.host] }
    for (const domain of domains) {
      await Promise.all(Array.from({ length: 4 }, () => sendEmail(app, from.id, { to: `ada@${domain}` })))
    }
    while (hanging.open < 100) await new Promise(setImmediate)

    const key = await app.newKey()
    const { id: fromAddressId } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    const body = { fromAddressId, to: 'ada@example.org', subject: 'Hello', body: 'Hello' }
    expect((await app.api('POST', '/emails', { key, body })).status).to.equal(202)
    expect((await receiver.next()).recipients).to.deep.equal(['ada@example.org'])
    expect(hanging.open).to.equal(100)
  })
})
