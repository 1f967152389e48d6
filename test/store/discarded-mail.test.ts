import { expect } from 'chai'
import { inTransaction } from '../../server/store/database.ts'
import { ClaimLost, completeJob } from '../../server/store/jobs/claims.ts'
import { chunkBytes } from '../../server/store/mail/message-chunks.ts'
import { discardMessages } from '../../server/store/mail/message-removal.ts'
import { delivery, hello, rawMails } from '../smtp/mailbox.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession } from '../support/play-session.ts'
import { jobsOf, takeJobsOver } from '../support/store/jobs.ts'
import { countMailRows, countRows } from '../support/store/rows.ts'

const text = `${'x'.repeat(998)}\r\n`.repeat(2_000)

/** Sends a long mail without its final dot, until all of its chunks but the last one are stored. */
async function beginMail(app: TestApp, address: string) {
  const session = await openSession(app.smtp)
  const [mail, rcpt, data] = delivery(address)
  await session.play([hello, mail!, rcpt!, data!])
  session.send(text)
  while (await countRows(app, 'message_chunks') < Math.floor(text.length / chunkBytes)) await new Promise(setImmediate)
  return session
}

describe('Long mail: the job that discards it unless it is accepted', function () {

  it('has no effect when the mail is accepted while it runs', async () => {
    await using app = await openTestApp()
    const { id, address } = await app.newAddress()
    await using session = await beginMail(app, address)
    const [claim] = await takeJobsOver(app, 'discard-message')
    const { messageId } = JSON.parse((await jobsOf(app, 'discard-message'))[0]!.payload) as { messageId: string }
    await session.play([['.', 250]])
    const discarded = await inTransaction(app.app.db, async (tx) => {
      await discardMessages(tx, [messageId])
      await completeJob(tx, claim!)
    }).catch((error: unknown) => error)
    expect(discarded).to.be.instanceOf(ClaimLost)
    await app.settled()
    expect((await rawMails(app, id)).map((source) => source === text)).to.deep.equal([true])
    expect(await countRows(app, 'discarded_messages')).to.equal(0)
  })

  it('refuses the mail when it has run before the mail was complete', async () => {
    await using app = await openTestApp()
    const { address } = await app.newAddress()
    await using session = await beginMail(app, address)
    await app.advance({ minutes: 16 })
    while (await countRows(app, 'message_chunks') > 0) await new Promise(setImmediate)
    await session.play([['.', 451]])
    await app.settled()
    expect(await countMailRows(app)).to.include({ emails: 0, messages: 0, message_chunks: 0 })
    expect(app.app.arriving.size).to.equal(0)
  })

  it('refuses to send a composed mail when it has run before the mail was queued', async () => {
    await using app = await openTestApp()
    const { id, address } = await app.newAddress()
    const { intake } = app.app
    const { storeComposed } = intake
    intake.storeComposed = async (...values) => {
      const stored = await storeComposed(...values)
      await app.advance({ minutes: 16 })
      while ((await jobsOf(app, 'discard-message')).length > 0) await new Promise(setImmediate)
      return stored
    }
    const mail = { fromAddressId: id, to: address, subject: 'long', body: 'a line\n'.repeat(7_000) }
    const { status, body } = await app.api('POST', '/emails', { body: mail })
    expect(status).to.equal(500)
    expect(body).to.deep.equal({
      error: 'This server took more than 15 minutes to store the mail, and has discarded it. Send it again.', code: 'INTERNAL_ERROR',
    })
    expect(await app.listEmails()).to.deep.equal([])
    intake.storeComposed = storeComposed
    expect((await app.api('POST', '/emails', { body: mail })).status).to.equal(202)
  })
})
