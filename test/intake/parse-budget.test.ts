import { expect } from 'chai'
import type { AcceptedMessage } from '../../server/envelope.ts'
import { openParseBudget } from '../../server/intake/parse-budget.ts'
import { openTestApp } from '../support/app.ts'
import { hostileMails } from '../support/hostile-mails.ts'
import { sendRaw } from '../support/send-raw.ts'

const messageOf = (accountId: string, remoteAddress: string): AcceptedMessage => ({
  id: 'm', receivedAt: 0, size: 0,
  envelope: { sender: '', remoteAddress, helo: '', tls: false, recipients: [{ emailId: 'e', addressId: 'a', address: 'a@mail.localhost', accountId }] },
})

describe('Mail parsing: budget of slow mails', () => {
  it('is a tenth of a second per second, for each account and each client', () => {
    let now = 0
    const budget = openParseBudget(() => now)
    const mail = messageOf('account', '192.0.2.1')
    for (let i = 0; i < 1_000; i++) budget.charge(mail, 5) // mails that are not slow are not charged
    for (let i = 0; i < 3; i++) budget.charge(mail, 35)
    expect(budget.isSpent(mail)).to.equal(false)
    budget.charge(mail, 35)
    const spent = () => [mail, messageOf('other', '192.0.2.1'), messageOf('account', ''), messageOf('other', '192.0.2.2')].map(budget.isSpent)
    expect(spent()).to.deep.equal([true, true, true, false])
    now = 199 // 120 ms are charged, which last 1,200 ms, minus the 1,000 ms that a client may be ahead
    expect(spent()).to.deep.equal([true, true, true, false])
    now = 200
    expect(spent()).to.deep.equal([false, false, false, false])
  })

  it('passes mails beyond it to the thread for long mail', async function () {
    await using app = await openTestApp({ isRealTime: true })
    const { address } = await app.newAddress()
    const { intake } = app.app
    const publish = intake.publish
    let count = 0
    intake.publish = (message, problem, claim) => {
      count++
      return publish(message, problem, claim)
    }
    const slow = hostileMails().find(({ name }) => name === 'ten thousand parts')!.source // 100 ms each
    await Promise.all(Array.from({ length: 20 }, () => sendRaw(app.smtp.port, address, slow)))
    await app.settled()
    expect(count).to.be.within(1, 19)
    const listed = await app.listEmails({ limit: '100' })
    expect(listed.map(({ subject }) => subject)).to.deep.equal(Array(20).fill('hostile parts'))
  })
})
