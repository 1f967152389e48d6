import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { ActivityNotice } from '../server/activity.ts'
import { listenTail, tailSocketOf } from '../server/tail.ts'

describe('Tail: the socket of a server', function () {
  before(function () {
    if (process.platform === 'win32') this.skip()
  })
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-tail-')) })
  afterEach(() => rm(folder, { recursive: true }))

  const notice: ActivityNotice = { kind: 'left-out', network: 'x'.repeat(1_000), refusals: 1 }

  /** A listener, and a function that passes an event to all readers. */
  async function listen(database: string) {
    const listeners = new Set<(event: ActivityNotice) => void>()
    const lines: string[] = []
    const close = await listenTail({
      activity: { record() {}, close() {}, listen: (listener) => (listeners.add(listener), () => listeners.delete(listener)) },
      baseUrl: () => 'http://localhost:3000',
      clock: { now: () => 0, at: () => () => {} },
      log: pino({}, { write: (line) => { lines.push(line) } }),
    }, database)
    return { listeners, lines, close, emit: () => { for (const listener of listeners) listener(notice) } }
  }

  it('disconnects a reader that is a megabyte late, and keeps the others', async () => {
    const database = join(folder, 'mayfly.db')
    const tail = await listen(database)
    const slow = connect(tailSocketOf(database)).pause()
    const quick = connect(tailSocketOf(database))
    let bytes = 0
    quick.on('data', (chunk) => { bytes += chunk.length })
    while (tail.listeners.size < 2) await new Promise(setImmediate)
    let events = 0
    for (; tail.listeners.size === 2 && events < 100_000; events++) {
      tail.emit()
      if (events % 50 === 0) await new Promise(setImmediate)
    }
    expect(events).to.be.within(1_000, 5_000)
    expect(tail.listeners.size).to.equal(1)
    tail.emit()
    while (bytes < (events + 1) * 1_000) await new Promise(setImmediate)
    slow.destroy()
    const closed = once(quick, 'close')
    await tail.close()
    await closed
  })

  it('is not there when its path is too long, which the log says', async () => {
    const tail = await listen(join(folder, 'x'.repeat(120), 'mayfly.db'))
    expect(JSON.parse(tail.lines[0]!).msg).to.match(/^"mayfly tail" cannot follow this server: the path of a socket has at most 103 bytes: /)
    await tail.close()
  })
})
