import { expect } from 'chai'
import type { AcceptedMessage } from '../../server/envelope.ts'
import { openHeldMails, openKnownResults } from '../../server/intake/held-mails.ts'
import { MailQueue } from '../../server/intake/mail-queue.ts'
import type { MailWork } from '../../server/intake/mail-thread.ts'
import { openSharedSources } from '../../server/intake/shared-sources.ts'
import type { Thread } from '../../server/intake/thread.ts'
import type { Claim } from '../../server/store/jobs/claims.ts'
import { delivery, hello } from '../smtp/mailbox.ts'
import { openTestApp } from '../support/app.ts'
import { playSession } from '../support/play-session.ts'

const turn = () => new Promise(setImmediate)

/** A thread that only records its messages. */
function openRecorder() {
  const batches: string[][] = []
  const settling = new Map<string, (result: unknown) => void>()
  const thread: Thread = {
    post(message) {
      const work = message as MailWork
      if (work.kind !== 'publish') return
      const { messages } = work
      batches.push((JSON.parse(messages) as AcceptedMessage[]).map((mail) => mail.id))
    },
    settled: <Result>(id: string) => new Promise<Result | false>((resolve) => {
      settling.set(id, resolve as (result: unknown) => void)
    }),
    close: async () => {},
  }
  return { thread, batches, settle: (id: string, result: boolean | 'declined' = true) => settling.get(id)!(result) }
}

function openMemory() {
  const sources = openSharedSources()
  return { sources, held: openHeldMails(sources) }
}

const queueOptions = () => ({
  ...openMemory(), knownResults: openKnownResults(),
  jobs: { newClaim: () => ({ id: 'job', claimedBy: 'node', attempts: 1 }), run() {}, release() {} },
})

const message = (id: string, remoteAddress: string, size: number) =>
  ({ id, size, envelope: { remoteAddress, recipients: [] as unknown[] } }) as unknown as AcceptedMessage

describe('Mail queue: rotation of clients', () => {
  it('stores the mail of another client before most of the mails that one client sent earlier', async () => {
    const { thread, batches, settle } = openRecorder()
    const queue = new MailQueue({ ...queueOptions(), threads: [thread] })
    const flood = Array.from({ length: 40 }, (_, i) => `flood ${i}`)
    for (const id of flood) void queue.store(message(id, '192.0.2.1', 250_000), [new Uint8Array(250_000)])
    await turn()
    const stored = queue.store(message('other', '198.51.100.1', 500), [new Uint8Array(500)])
    await turn()
    const before = batches.flat()
    expect(before.length).to.be.at.most(9)
    for (const id of before) settle(id)
    await turn()
    await turn()
    await turn()
    expect(batches.flat().slice(before.length, before.length + 2)).to.include('other')
    settle('other')
    expect(await stored).to.equal(true)
  })

  it('gives mail to another thread while one has much of it, and may use the other', async () => {
    const [first, second] = [openRecorder(), openRecorder()]
    let isForOther = true
    const queue = new MailQueue({
      ...queueOptions(), threads: [first.thread, second.thread], mayUse: (thread) => thread === first.thread || isForOther,
    })
    for (const [id, size] of [['a', 2_000], ['b', 200_000], ['c', 2_000]] as const) {
      void queue.store(message(id, '192.0.2.1', size), [new Uint8Array(size)])
      await turn()
    }
    expect([first.batches, second.batches]).to.deep.equal([[['a'], ['b']], [['c']]])
    isForOther = false
    void queue.store(message('d', '192.0.2.1', 2_000), [new Uint8Array(2_000)])
    await turn()
    expect([first.batches, second.batches]).to.deep.equal([[['a'], ['b'], ['d']], [['c']]])
  })

  it('passes mails that end in the same turn to the thread together', async () => {
    const { thread, batches } = openRecorder()
    const queue = new MailQueue({ ...queueOptions(), threads: [thread] })
    for (let i = 0; i < 20; i++) void queue.store(message(String(i), '192.0.2.1', 2_000), [new Uint8Array(2_000)])
    await turn()
    expect(batches.map((batch) => batch.length)).to.deep.equal([20])
  })
})

describe('Mail queue: the claim of an authentication', () => {
  it('is released when the thread has ended without an answer', async () => {
    const { thread, settle } = openRecorder()
    const released: string[] = []
    const jobs = { newClaim: () => ({ id: 'job', claimedBy: 'node', attempts: 1 }), run() {}, release: ({ id }: Claim) => { released.push(id) } }
    const queue = new MailQueue({ ...queueOptions(), jobs, threads: [thread] })
    const stored = ['written', 'lost', 'left to a job'].map((id) => queue.store(message(id, '192.0.2.1', 500), [new Uint8Array(500)]))
    await turn()
    await turn()
    settle('written')
    settle('lost', false)
    settle('left to a job', 'declined')
    expect(await Promise.all(stored)).to.deep.equal([true, false, false])
    expect(released).to.deep.equal(['job'])
  })
})

describe('Mail queue: small and longer mail', () => {
  it('stores small mail without waiting for longer mail of the same client', async () => {
    await using app = await openTestApp()
    const { intake, db } = app.app
    const order: string[] = []
    const store = async (name: string, text: string) => {
      const bytes = Buffer.from(`From: a@example.org\r\nSubject: ${name}\r\n\r\n${text}`)
      const envelope = { sender: '', recipients: [], remoteAddress: '192.0.2.1', helo: '', tls: false }
      await intake.store({ id: db.newId(), receivedAt: db.now(), size: bytes.length, envelope }, [bytes])
      order.push(name)
    }
    const text = 'some text\r\n'.repeat(18_000)
    await Promise.all([store('first', text), store('first', 'some text')]) // starts the threads
    order.length = 0
    await Promise.all([...Array.from({ length: 100 }, () => store('longer', text)), store('small', 'some text')])
    expect(order.indexOf('small')).to.be.lessThan(50)
  })
})

describe('Mail queue: a mail that a thread declines', () => {
  it('is published by a job, also when it is empty', async () => {
    await using app = await openTestApp()
    app.app.intake.store = async () => false
    const address = await app.newAddress()
    await playSession(app.smtp, [hello, ...delivery(address.address).slice(0, 3), ['.', 250]])
    await app.settled()
    expect(await app.onlyEmail(address.id)).to.include({ subject: '', bodyText: '', size: 0 })
  })
})

describe('Mail queue: threads for small mail', () => {
  it('may be many', async function () {
    await using app = await openTestApp({ env: { MAYFLY_PARSE_THREADS: '33' } })
    const { intake, db } = app.app
    const bytes = Buffer.from('Subject: x\r\n\r\nx\r\n')
    const envelope = { sender: '', recipients: [], remoteAddress: '192.0.2.1', helo: '', tls: false }
    const stored: Promise<boolean>[] = []
    for (let i = 0; i < 33; i++) {
      stored.push(intake.store({ id: db.newId(), receivedAt: db.now(), size: bytes.length, envelope }, [bytes]))
      await turn() // the next mail goes to the next thread
    }
    expect(await Promise.all(stored)).to.deep.equal(Array(33).fill(true))
  })
})
