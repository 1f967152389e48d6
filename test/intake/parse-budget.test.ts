import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import type { AcceptedMessage } from '../../server/envelope.ts'
import { intakeLimits } from '../../server/intake/intake.ts'
import { openParseBudget } from '../../server/intake/parse-budget.ts'
import type { WorkerThreads } from '../../server/intake/worker-threads.ts'
import { openTestApp } from '../support/app.ts'
import { sendRaw } from '../support/send-raw.ts'
import { serverBuild } from '../support/server-build.ts'
import { ownThreads } from '../support/worker-threads.ts'

const messageOf = (accountId: string, remoteAddress: string): AcceptedMessage => ({
  id: 'm', receivedAt: 0, size: 0,
  envelope: { sender: '', remoteAddress, helo: '', tls: false, recipients: [{ emailId: 'e', addressId: 'a', address: 'a@mail.localhost', accountId }] },
})

/** A mail that takes about 100 ms to parse, and little to store. */
const slowMail = () => 'Subject: slow\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
  + `${'--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(15_000)}--b--\r\n`

/** Threads in which no time passes: a budget that is used up stays so, on a machine that is slow, too. */
async function timelessThreads(): Promise<WorkerThreads> {
  const { threadScripts } = await serverBuild()
  const { finish } = await ownThreads()
  return {
    finish,
    start(script, workerData, resourceLimits) {
      const code = `performance.now = () => 0; await import('${new URL(`${script}.js`, threadScripts)}')`
      return new Worker(new URL(`data:text/javascript,${code}`), { workerData, resourceLimits })
    },
  }
}

describe('Mail parsing: budget of slow mails', () => {
  it('is a tenth of a second per second, for each account and each client', () => {
    let now = 0
    const budget = openParseBudget(() => now)
    const mail = messageOf('account', '192.0.2.1')
    for (let i = 0; i < 1_000; i++) budget.charge(mail, 5) // mails that are not slow are not charged
    for (let i = 0; i < 3; i++) budget.charge(mail, 165)
    expect(budget.isSpent(mail)).to.equal(false)
    budget.charge(mail, 165)
    const spent = () => [mail, messageOf('other', '192.0.2.1'), messageOf('account', ''), messageOf('other', '192.0.2.2')].map(budget.isSpent)
    expect(spent()).to.deep.equal([true, true, true, false])
    now = 1_399 // 640 ms are charged, which last 6,400 ms, minus the 5,000 ms that a client may be ahead
    expect(spent()).to.deep.equal([true, true, true, false])
    now = 1_400
    expect(spent()).to.deep.equal([false, false, false, false])
  })

  it('is used up by a mail whose thread has ended: the next mail of its client is left to a job, that of another is not', async () => {
    const threads = await ownThreads()
    await using app = await openTestApp({ threads })
    const { intake, db } = app.app
    const store = (remoteAddress: string, source: Buffer) => intake.store({
      id: db.newId(), receivedAt: db.now(), size: source.length, envelope: { sender: '', recipients: [], remoteAddress, helo: '', tls: false },
    }, [source])
    const fast = Buffer.from(`Subject: hello\r\n\r\n${'hello\r\n'.repeat(10_000)}`) // of a size for the same thread
    expect(await store('192.0.2.1', fast)).to.equal(true)
    await threads.opened()
    const parsing = store('192.0.2.1', Buffer.from(`Content-Type: multipart/mixed\r\n\r\n${'--\r\n'.repeat(6_000_000)}`)) // takes seconds
    await new Promise(setImmediate) // its thread has it
    await threads.kill()
    expect(await parsing).to.equal(false)
    expect(await store('192.0.2.1', fast)).to.equal(false)
    expect(await store('192.0.2.2', fast)).to.equal(true)
  })

  it('passes mails beyond it to the thread for long mail', async () => {
    const threads = await timelessThreads()
    await using app = await openTestApp({ threads, intakeLimits: { ...intakeLimits, timeoutMs: 600_000 } })
    const { address } = await app.newAddress()
    const { intake } = app.app
    const publish = intake.publish
    let count = 0
    intake.publish = (message, problem, claim) => {
      count++
      return publish(message, problem, claim)
    }
    await Promise.all(Array.from({ length: 20 }, () => sendRaw(app.smtp.port, address, slowMail())))
    await app.settled()
    expect(count).to.be.within(1, 19)
    const listed = await app.listEmails({ limit: '100' })
    expect(listed.map(({ subject }) => subject)).to.deep.equal(Array(20).fill('slow'))
  })
})
