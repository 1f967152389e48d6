import { expect } from 'chai'
import { sendMail } from '../../server/outbound/send-mail.ts'
import type { SendOptions } from '../../server/outbound/send-mail.ts'
import { failedAt, shortMail } from './mails.ts'
import { openScriptedServer } from './scripted-server.ts'
import type { Script } from './scripted-server.ts'

const options: SendOptions = { name: 'mayfly.example', timeouts: { quitMs: 50 } }

async function sendTo(script: Script, login = '') {
  await using server = await openScriptedServer(script)
  return await sendMail({ kind: 'smarthost', url: `smtp://${login}127.0.0.1:${server.port}` }, shortMail, options)
}

const points = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'dot'] as const

describe('SMTP replies: a mail counts as sent', () => {
  const malformed = ['25', '2', '2500', '2500 queued', '25 0 ok', '250ok', '250_ok', '+250 ok', ' 250 ok', '25\u00b2 ok', '250-yes\r\n25 0']
  for (const reply of malformed) {
    it(`not after ${JSON.stringify(reply)}, whatever it answers`, async () => {
      for (const point of points) {
        const outcome = await sendTo({ [point]: reply })
        expect(outcome, point).to.deep.equal(failedAt(point, '127.0.0.1', 'its reply is no SMTP'))
      }
    })
  }

  it('not after a reply that is cut off', async () => {
    for (const reply of ['25', '250 ok', '2500']) {
      for (const point of points) {
        const outcome = await sendTo({ [point]: (socket: { end(text: string): void }) => socket.end(reply) })
        expect(outcome, `${reply} at ${point}`).to.deep.equal(failedAt(point, '127.0.0.1', 'it broke off the connection'))
      }
    }
  })

  it('not after a reply whose lines have different codes', async () => {
    for (const point of points) {
      for (const reply of ['250-yes\r\n550 no', '550-no\r\n250 yes', '250-yes\r\nno']) {
        expect((await sendTo({ [point]: reply })).kind, `${reply} at ${point}`).to.equal('deferred')
      }
    }
  })

  it('not after malformed replies to commands that were sent together', async () => {
    for (const point of ['MAIL', 'RCPT', 'DATA', 'dot'] as const) {
      expect((await sendTo({ EHLO: '250-scripted\r\n250 PIPELINING', [point]: '2500' })).kind, point).to.equal('deferred')
    }
  })

  it('not after another reply to DATA than 354, also when the host answers each line of the mail', async () => {
    for (const DATA of ['250 ok', '200 ok', '350 go', '355 go']) {
      for (const EHLO of ['250 scripted', '250-scripted\r\n250 PIPELINING']) {
        expect(await sendTo({ EHLO, DATA }), DATA).to.deep.equal(failedAt('DATA', '127.0.0.1', 'its reply is no SMTP'))
      }
    }
  })

  it('not after a malformed positive reply to AUTH, and nothing is sent after a malformed negative one', async () => {
    const EHLO = '250-scripted\r\n250 AUTH PLAIN'
    for (const AUTH of ['2350 yes', '23', '5350 no', '53']) {
      expect(await sendTo({ EHLO, AUTH }, 'u:p@'), AUTH).to.deep.equal({ kind: 'deferred', reason: 'The session with 127.0.0.1 failed: its reply is no SMTP' })
    }
  })

  it('and as refused, after well-formed replies only', async () => {
    for (const [reply, kind] of [['5500 no', 'deferred'], ['55', 'deferred'], ['550no', 'deferred'], ['650 no', 'deferred'], ['550 no', 'refused'], ['550', 'refused']] as const) {
      for (const point of ['MAIL', 'RCPT', 'DATA', 'dot'] as const) expect((await sendTo({ [point]: reply })).kind, `${reply} at ${point}`).to.equal(kind)
    }
  })

  it('after three digits alone, and after several lines of one code', async () => {
    for (const reply of ['250', '250 ', '250-yes\r\n250 ok', '250-yes\r\n250-2.0.0 ok\r\n250']) {
      const script = { EHLO: reply, MAIL: reply, RCPT: reply, dot: reply }
      expect((await sendTo(script)).kind, reply).to.equal('sent')
    }
  })
})
