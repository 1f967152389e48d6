import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openScriptedServer } from '../outbound/scripted-server.ts'
import { openTestApp } from '../support/app.ts'
import { newDatabase } from '../support/new-database.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import { countMailRows } from '../support/store/rows.ts'
import { sendEmail } from './world.ts'

describe('Sending while the server closes: a mail that the receiving host has completely', () => {
  let folder: string

  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-sending-')) })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is not sent again when the server closes before the end of the session', async () => {
    const isTaken = Promise.withResolvers<void>()
    await using server = await openScriptedServer({ QUIT: () => isTaken.resolve() }) // without a reply
    const options = { env: { MAYFLY_OUTBOUND: `smtp://127.0.0.1:${server.port}` }, database: await newDatabase(join(folder, 'mayfly.db')) }
    const first = await openTestApp(options)
    const { id } = await sendEmail(first, (await first.newAddress()).id)
    await isTaken.promise
    await first[Symbol.asyncDispose]()

    await using second = await openTestApp(options)
    await second.settled()
    expect((await second.api('GET', `/emails/${id}`, { key: first.key })).body.data).to.include({ status: 'sent' })
    expect(server.lines.filter((line) => line === 'DATA')).to.have.length(1)
  })

  for (const [reply, status] of [['250 queued', 'sent'], ['550 no', 'failed']] as const) {
    it(`is not sent again when the reply is ${reply} while the server closes`, async () => {
      const isWhole = Promise.withResolvers<Socket>()
      await using server = await openScriptedServer({ dot: isWhole.resolve })
      const options = { env: { MAYFLY_OUTBOUND: `smtp://127.0.0.1:${server.port}` }, database: await newDatabase(join(folder, 'mayfly.db')) }
      const first = await openTestApp(options)
      const { id } = await sendEmail(first, (await first.newAddress()).id)
      const socket = await isWhole.promise
      const closed = first[Symbol.asyncDispose]()
      if (!first.app.closing.aborted) await once(first.app.closing, 'abort')
      socket.write(`${reply}\r\n`)
      await closed

      await using second = await openTestApp(options)
      await second.settled()
      expect((await second.api('GET', `/emails/${id}`, { key: first.key })).body.data).to.include({ status })
      expect(server.lines.filter((line) => line === 'DATA')).to.have.length(1)
    })
  }

  it('does not keep the server from closing', async () => {
    const isWhole = Promise.withResolvers<Socket>()
    await using server = await openScriptedServer({ dot: isWhole.resolve })
    const app = await openTestApp({ env: { MAYFLY_OUTBOUND: `smtp://127.0.0.1:${server.port}` } })
    await sendEmail(app, (await app.newAddress()).id)
    await isWhole.promise
    await app[Symbol.asyncDispose]()
  })
})

describe('Sending: a mail that is deleted while it is sent', () => {
  it('does not arrive incomplete', async () => {
    await using world = await openForwardingWorld()
    const { app } = world
    const { id: forwardToId } = await world.newVerified()
    const address = await app.newAddress({ forwardToId })
    await world.receiver[Symbol.asyncDispose]()
    await using slow = await openStallingServer(world.receiver.port)
    await app.send({ to: address.address, attachments: [{ filename: 'a.bin', content: Buffer.alloc(15_000_000, 'x') }] })
    await slow.stalled
    await app.api('DELETE', `/addresses/${address.id}`)
    while ((await countMailRows(app)).message_chunks > 0) await new Promise(setImmediate)
    slow.resume()
    await app.settled()
    expect(slow.text.slice(-100)).not.to.match(/\r\n\.\r\n$/)
  })
})

/** An SMTP server that stops reading in the middle of a mail until it is resumed. */
async function openStallingServer(port: number) {
  const stalled = Promise.withResolvers<void>()
  let socket: Socket | undefined
  let text = ''
  const server = createServer((client) => {
    socket = client.setEncoding('latin1').on('error', () => {})
    client.write('220 stalling\r\n')
    let isMail = false
    client.on('data', (chunk: string) => {
      if (!isMail) {
        isMail = chunk === 'DATA\r\n'
        client.write(isMail ? '354 go\r\n' : '250 ok\r\n')
        return
      }
      const before = text.length
      text += chunk
      if (before < 1_000_000 && text.length >= 1_000_000) {
        client.pause()
        stalled.resolve()
      } else if (text.endsWith('\r\n.\r\n')) {
        isMail = false
        client.write('250 queued\r\n')
      }
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stalled: stalled.promise,
    resume: () => socket!.resume(),
    get text() {
      return text
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      socket?.destroy()
      await closed
    },
  }
}
