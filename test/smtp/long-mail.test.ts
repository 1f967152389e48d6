import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { openSession } from '../support/play-session.ts'
import { watchMainThreadChunks } from '../support/store/commits.ts'
import { jobsOf } from '../support/store/jobs.ts'
import { countRows } from '../support/store/rows.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const line = `${'x'.repeat(998)}\r\n`
const long = (lines: number) => line.repeat(lines)

describe('SMTP long mail', () => {
  it('is written by a background thread: the main thread commits no chunk', async function () {
    await using app = await openTestApp()
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello])
    const chunksOfMainThread = watchMainThreadChunks(app)
    const text = long(4000)
    await session.play(delivery(address, text))
    expect(chunksOfMainThread()).to.equal(0)
    expect((await rawMails(app, id)).map((source) => source === text)).to.deep.equal([true])
  })

  it('leaves nothing in the database when the client does not finish it', async function () {
    await using app = await openTestApp()
    const { address } = await app.newAddress()
    const session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    session.send(long(2000))
    while (await countRows(app, 'message_chunks') === 0) await new Promise(setImmediate)
    await session[Symbol.asyncDispose]()
    while (app.app.smtp.connections > 0) await new Promise(setImmediate)
    for (const task of ['discard-message', 'purge-messages'] as const) {
      while ((await jobsOf(app, task)).length > 0) await new Promise(setImmediate)
    }
    expect(await countRows(app, 'message_chunks')).to.equal(0)
  })
})
