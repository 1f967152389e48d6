import { expect } from 'chai'
import { listenSmtp } from '../../../server/smtp/server.ts'
import { openTestApp } from '../../support/app.ts'
import { openSession } from '../../support/play-session.ts'
import { lockDatabase } from '../../support/store/faults.ts'
import { delivery, hello, rawMails } from '../mailbox.ts'

const line = `${'x'.repeat(998)}\r\n`
const long = (lines: number) => line.repeat(lines)

describe('SMTP long mail', () => {
  it('of many clients is held in memory up to the limit, and read on as it is stored', async function () {
    await using app = await openTestApp()
    const memoryBytes = 3_000_000
    const clients = 6
    const listener = await listenSmtp({ ...app.app, config: { ...app.app.config, memoryBytes } }, { connections: clients + 1 })
    const target = { host: '127.0.0.1', port: listener.port }
    const text = long(4000)
    const addresses = await Promise.all(Array.from({ length: clients }, () => app.newAddress()))
    const sessions = await Promise.all(addresses.map(() => openSession(target)))
    const short = await openSession(target)
    try {
      for (const [i, session] of sessions.entries()) await session.play([hello, ...delivery(addresses[i]!.address).slice(0, 3)])
      const unlock = await lockDatabase(app)
      const maxHeld = watchHeld(listener)
      for (const session of sessions) session.send(`${text}.\r\n`)
      await maxHeld.reaches(memoryBytes / 3)
      await short.play([hello, ['MAIL FROM:<a@example.org>', 250], [`RCPT TO:<${addresses[0]!.address}>`, 250], ['DATA', 354]])
      await maxHeld.stands()
      await unlock()
      await short.play([['short\r\n.', 250]])
      for (const session of sessions) expect(await session.reply()).to.match(/^250/)
      expect(maxHeld.stop()).to.be.lessThan(memoryBytes)
      expect(listener.heldBytes).to.equal(0)
    } finally {
      for (const session of [short, ...sessions]) await session[Symbol.asyncDispose]()
      await listener.close()
    }
    for (const { id } of addresses.slice(1)) expect((await rawMails(app, id)).map((source) => source === text)).to.deep.equal([true])
  })
})

/** Looks in each turn of the event loop how many bytes of mail are in memory. */
function watchHeld(listener: { heldBytes: number }) {
  let max = 0
  let turnsWithoutChange = 0
  let isStopped = false
  const look = () => {
    turnsWithoutChange = listener.heldBytes > max ? 0 : turnsWithoutChange + 1
    max = Math.max(max, listener.heldBytes)
    if (!isStopped) setImmediate(look)
  }
  look()
  const until = async (isMet: () => boolean) => {
    while (!isMet()) await new Promise(setImmediate)
  }
  return {
    reaches: (bytes: number) => until(() => max >= bytes),
    stands: () => until(() => turnsWithoutChange > 2000),
    stop() {
      isStopped = true
      return max
    },
  }
}
