import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'chai'
import { shareWebhooksWorld } from './world.ts'

/** Bytes that the buffers of two sockets may hold beyond the bytes that were read. */
const bufferedBytes = 16 * 1024 * 1024

/** Answers a POST with `begin` and then repeats `more` until the connection is closed. */
async function openPouringServer(begin: string, more: string) {
  const all = { bytes: 0, open: 0 }
  const block = Buffer.from(more.repeat(Math.ceil(16_384 / more.length)))
  const server = createServer((socket: Socket) => {
    all.open++
    const pour = () => {
      do all.bytes += block.length
      while (!socket.destroyed && socket.write(block))
    }
    socket.on('error', () => {}).once('close', () => all.open--)
    socket.once('data', () => {
      socket.write(begin)
      socket.on('drain', pour)
      pour()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    all,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

const ok = 'HTTP/1.1 200 OK\r\n'
const tooLong = 'The endpoint sent more than 64 kB without completing its answer.'

/** Endless responses: their beginning, the part that is repeated, and the outcome of the delivery. */
const endless: [name: string, begin: string, more: string, error: string | null][] = [
  ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'The endpoint sent more than 8 interim answers (1xx).'],
  ['empty lines before the status line', '', '\r\n', tooLong],
  ['one status line', 'HTTP/1.1 200 ', 'OK', tooLong],
  ['header fields', ok, 'a: b\r\n', 'The endpoint could not be reached: the header of its answer is too long.'],
  ['one header field', `${ok}a: `, 'b', 'The endpoint could not be reached: the header of its answer is too long.'],
  ['one chunk extension', `${ok}transfer-encoding: chunked\r\n\r\n1;a=`, 'b', null],
  ['chunks of one byte', `${ok}transfer-encoding: chunked\r\n\r\n`, '1;extension=of-a-chunk\r\nx\r\n', null],
  ['trailer fields', `${ok}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`, 'a: b\r\n', 'The endpoint could not be reached: the header of its answer is too long.'],
  ['compressed bytes, which stay compressed', `${ok}content-encoding: gzip\r\n\r\n`, '\x1f\x8b', null],
]

describe('Webhook answers: size limits', () => {
  const newWorld = shareWebhooksWorld({ webhookTimeoutMs: 2_000 })

  for (const [name, begin, more, error] of endless) {
    it(`stops reading ${name} without end`, async () => {
      await using pouring = await openPouringServer(begin, more)
      await using world = await newWorld()
      const { app, subscribe, deliveriesOf } = world
      const { id } = await subscribe({ url: pouring.url, events: ['address.created'] })
      await app.newAddress()
      await app.settled()
      const delivery = (await deliveriesOf(id)).at(-1)!
      expect(delivery).to.include({ status: error === null ? 'succeeded' : 'failed', error })
      expect(pouring.all.bytes).to.be.lessThan(bufferedBytes)
      expect((delivery['responseBody'] ?? '').length).to.be.at.most(16 * 1024)
      while (pouring.all.open > 0) await new Promise(setImmediate)
    })
  }
})
