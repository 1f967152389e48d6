import { expect } from 'chai'
import { pino } from 'pino'
import { openSendingWorld, sendEmail } from './world.ts'
import type { SendingWorld } from './world.ts'

describe('Log: replies of other servers, which may name people', function () {
  let world: SendingWorld
  const written: string[] = []
  before(async () => {
    world = await openSendingWorld({ log: pino({ level: 'info' }, { write: (line) => { written.push(line) } }) })
  })
  after(() => world[Symbol.asyncDispose]())

  for (const [code, text, outcome, logged] of [
    [550, '5.1.1 No such user', 'refused', '550 5.1.1'],
    [550, '5.1.1 user ada.lovelace unknown', 'refused', '550 5.1.1'],
    [550, 'ADA.LOVELACE: mailbox not found', 'refused', '550'],
    [550, '5.1.1-ada.lovelace', 'refused', '550'],
    [550, '5.1.1ada.lovelace', 'refused', '550'],
    [550, '5.1.1234 ada.lovelace', 'refused', '550'],
    [554, 'ada lovelace moved to a_lovelace at example.net', 'refused', '554'],
    [551, '5.1.6 mx.example.org said: 550 ada.lovelace said: 551 5.1.6 adalovelace', 'refused', '551 5.1.6'],
    [550, '"ada lovelace"@example.org', 'refused', '550'],
    [451, '4.7.1 adalovelace is greylisted', 'deferred', '451 4.7.1'],
    [421, 'lovelace%40example.org', 'deferred', '421'],
  ] as const) {
    it(`has the codes alone of: ${code} ${text}`, async () => {
      const { app, receiver, from } = world
      receiver.replies.rcpt = () => ({ code, text })
      written.length = 0
      const { id } = await sendEmail(app, from.id, { to: 'ada.lovelace@example.org' })
      await app.settled()
      const lines = written.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'delivered')
      expect(lines.map(({ outcome, reason, domains }) => [outcome, reason, domains])).to.deep.equal([
        [outcome, `mx.example.org said: ${logged}`, ['example.org']],
      ])
      expect(written.join('')).to.not.match(/lovelace/i)
      expect((await app.api('GET', `/emails/${id}`)).body.data.failureReason).to.include(text) // its sender reads all of it
    })
  }
})
