import { expect } from 'chai'
import type { AcceptedMessage } from '../../server/envelope.ts'
import { openShortQueue } from '../../server/intake/short-queue.ts'
import type { ShortMails } from '../../server/intake/short-thread.ts'
import type { Thread } from '../../server/intake/thread.ts'
import { openTestApp } from '../support/app.ts'

const turn = () => new Promise(setImmediate)

/** A thread that only records its messages. */
function openRecorder() {
  const batches: string[][] = []
  const settling = new Map<string, (isStored: boolean) => void>()
  const thread: Thread = {
    post: (mails) => { batches.push((JSON.parse((mails as ShortMails).messages) as AcceptedMessage[]).map(({ id }) => id)) },
    settled: (id: string) => new Promise((resolve) => { settling.set(id, resolve as (isStored: boolean) => void) }),
    close: async () => {},
  }
  return { thread, batches, settle: (id: string) => settling.get(id)!(true) }
}

const message = (id: string, remoteAddress: string) =>
  ({ id, envelope: { remoteAddress, recipients: [] as unknown[] } }) as unknown as AcceptedMessage

describe('Short mail: rotation of clients', () => {
  it('stores the mail of another client before most of the mails that one client sent earlier', async () => {
    const { thread, batches, settle } = openRecorder()
    const store = openShortQueue(thread)
    const flood = Array.from({ length: 40 }, (_, i) => `flood ${i}`)
    for (const id of flood) void store(message(id, '192.0.2.1'), new Uint8Array(250_000))
    await turn()
    const stored = store(message('other', '198.51.100.1'), new Uint8Array(500))
    await turn()
    const before = batches.flat()
    expect(before.length).to.be.at.most(4)
    for (const id of before) settle(id)
    await turn()
    await turn()
    expect(batches.flat().slice(before.length, before.length + 2)).to.include('other')
    settle('other')
    expect(await stored).to.equal(true)
  })

  it('passes mails that end in the same turn to the thread together', async () => {
    const { thread, batches } = openRecorder()
    const store = openShortQueue(thread)
    for (let i = 0; i < 20; i++) void store(message(String(i), '192.0.2.1'), new Uint8Array(2_000))
    await turn()
    expect(batches.map((batch) => batch.length)).to.deep.equal([20])
  })
})

describe('Short mail: two threads', () => {
  it('store small mail without waiting for longer mail of the same client', async () => {
    await using app = await openTestApp()
    const { intake, db } = app.app
    const order: string[] = []
    const store = async (name: string, text: string) => {
      const bytes = Buffer.from(`From: a@example.org\r\nSubject: ${name}\r\n\r\n${text}`)
      const envelope = { sender: '', recipients: [], remoteAddress: '192.0.2.1', helo: '', tls: false }
      await intake.store({ id: db.newId(), receivedAt: db.now(), size: bytes.length, envelope }, new Uint8Array(bytes))
      order.push(name)
    }
    const text = 'some text\r\n'.repeat(18_000)
    await Promise.all([store('first', text), store('first', 'some text')]) // starts the threads
    order.length = 0
    await Promise.all([...Array.from({ length: 100 }, () => store('longer', text)), store('small', 'some text')])
    expect(order.indexOf('small')).to.be.lessThan(50)
  })
})
