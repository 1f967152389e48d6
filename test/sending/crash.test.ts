import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { call, newAddress, startServer } from '../crash/server.ts'
import { newDatabase } from '../support/new-database.ts'
import { openHangingServer, openReceiver } from '../support/receiver.ts'

const mails = 10

describe('Sending after a crash: emails that wait while their mail server is down', () => {
  let folder: string

  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-sending-')) })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  for (const down of ['refuses connections', 'never says a word']) {
    it(`are delivered after the server was killed and started again (it ${down})`, async () => {
      // reserves the port until the real mail server uses it
      const hanging = await openHangingServer()
      const { port } = hanging
      if (down === 'refuses connections') await hanging[Symbol.asyncDispose]()
      const database = await newDatabase(join(folder, 'mayfly.db'))
      const variables = { MAYFLY_OUTBOUND: `smtp://127.0.0.1:${port}`, MAYFLY_DATABASE: database }

      const first = await startServer(folder, variables)
      const { id: fromAddressId } = await newAddress(first.url, first.key)
      const ids: string[] = []
      for (let i = 0; i < mails; i++) {
        const body = JSON.stringify({ fromAddressId, to: 'ada@example.org', subject: `mail ${i}`, body: 'Hello' })
        ids.push((await call(first.url, first.key, '/emails', { method: 'POST', body }) as { data: { id: string } }).data.id)
      }
      first.child.kill('SIGKILL')
      await first.exited
      await hanging[Symbol.asyncDispose]()

      await using receiver = await openReceiver({ at: { port } })
      const second = await startServer(folder, variables)
      try {
        for (let i = 0; i < mails; i++) await receiver.next()
        for (const id of ids) {
          const { data } = await call(second.url, first.key, `/emails/${id}`) as { data: { status: string } }
          expect(data.status).to.be.oneOf(['sending', 'sent'])
        }
      } finally {
        second.child.kill('SIGTERM')
        await second.exited
      }
      const sent = receiver.mails.map(({ sourceText }) => /^Message-ID: <([^@]+)@/m.exec(sourceText)![1])
      expect(new Set(sent)).to.deep.equal(new Set(ids))
    })
  }
})
