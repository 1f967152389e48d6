import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { readMessage } from '../../server/mime/read-message.ts'
import { newKey } from '../support/signed-mail.ts'
import { openSendingWorld, sendEmail } from './world.ts'
import type { SendingWorld } from './world.ts'

describe('Sending: DKIM signature', () => {
  const key = newKey('mail.localhost', { selector: 'mayfly' })
  let folder: string
  let world: SendingWorld

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-signed-'))
    await writeFile(join(folder, 'dkim.pem'), key.privateKey)
    world = await openSendingWorld({ env: { MAYFLY_DKIM_KEY: join(folder, 'dkim.pem') } })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const bodies: Record<string, { body: string, bodyHtml?: string, text: string }> = {
    'with CRLF': { body: 'one\r\ntwo\r\n', text: 'one\ntwo\n' },
    'with bare LF': { body: 'one\ntwo\n\nthree', text: 'one\ntwo\n\nthree' },
    'with bare CR': { body: 'one\rtwo\r', text: 'one\ntwo\n' },
    'with bare CR before CRLF': { body: 'one\r\r\ntwo', text: 'one\n\ntwo' },
    'with a dot between bare CRs': { body: 'one\r.\rtwo\r..\r', text: 'one\n.\ntwo\n..\n' },
    'with spaces before a bare CR': { body: 'one  \rtwo\t\r \r', text: 'one  \ntwo\t\n \n' },
    'with bare CR beside other scripts, which are encoded': { body: 'Grüße\raus Köln\r', text: 'Grüße\naus Köln\n' },
    'of one bare CR': { body: '\r', text: '\n' },
    'with bare CR in its HTML': { body: 'one', bodyHtml: '<p>one</p>\r<p>two</p>\r', text: 'one' },
    'with bare CR in long lines': { body: `${'word '.repeat(400)}\r${'word '.repeat(400)}`, text: `${'word '.repeat(400)}\n${'word '.repeat(400)}` },
    'with bare CR that a thread composes': { body: 'line\r'.repeat(9_000), bodyHtml: '<p>line</p>\r'.repeat(9_000), text: 'line\n'.repeat(9_000) },
  }
  for (const [name, { text, ...changes }] of Object.entries(bodies)) {
    it(`verifies at the receiver: a body ${name}`, async () => {
      await sendEmail(world.app, world.from.id, changes)
      const { source } = await world.receiver.next()
      const { results } = await dkimVerify(source, { resolver: async () => [[key.record]] })
      expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).to.deep.equal([['pass', 'mail.localhost']])
      expect(source.toString('latin1')).to.not.match(/\r(?!\n)|(?<!\r)\n/)
      await world.app.settled()
      expect(readMessage(source).bodyText.trimEnd()).to.equal(text.trimEnd())
    })
  }
})
