import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/**
 * A pooler in transaction mode with one connection to the server: a session has it from a message to the end of its transaction. The ids
 * that it gives to sessions are its own.
 */
export async function openTransactionPooler(target: URL): Promise<{ url: string, close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = connect(Number(target.port), target.hostname)
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // the other end has closed it; `close` follows
    socket.once('close', () => sockets.delete(socket))
  }
  keep(server)
  let current: Socket | null = null
  const waiting: { client: Socket, bytes: Buffer }[] = []
  /** The answer of the server to the start of its connection, which each session gets. */
  const greeting = Promise.withResolvers<Buffer>()
  let received: Buffer = Buffer.alloc(0)
  let isGreeted = false
  server.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    for (const message of takeMessages()) {
      if (isGreeted) current?.write(message)
      else greetingParts.push(message)
      const isIdle = message[0] === readyForQuery && message[5] === idle
      if (!isIdle) continue
      if (!isGreeted) greeting.resolve(Buffer.concat(greetingParts.map(withOtherId)))
      isGreeted = true
      current = null
      next()
    }
  })
  const greetingParts: Buffer[] = []

  function takeMessages(): Buffer[] {
    const messages: Buffer[] = []
    while (received.length >= 5 && received.length > received.readUInt32BE(1)) {
      const length = 1 + received.readUInt32BE(1)
      messages.push(received.subarray(0, length))
      received = received.subarray(length)
    }
    return messages
  }

  function next() {
    const index = waiting.findIndex(({ client }) => current === null || client === current)
    if (index < 0) return
    const [{ client, bytes }] = waiting.splice(index, 1) as [typeof waiting[number]]
    current = client
    server.write(bytes)
    next()
  }

  const pooler = createServer((client) => {
    keep(client)
    client.once('data', (startup) => {
      if (!isStarted) server.write(startup)
      isStarted = true
      void greeting.promise.then((answer) => client.write(answer))
      client.on('data', (bytes) => {
        if (bytes[0] === terminate) return client.end()
        waiting.push({ client, bytes })
        next()
      })
    })
  }).listen(0, '127.0.0.1')
  let isStarted = false
  await once(pooler, 'listening')
  const url = new URL(target)
  url.port = String((pooler.address() as AddressInfo).port)
  return {
    url: url.href,
    async close() {
      const closed = once(pooler, 'close')
      pooler.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Types of messages, and the state of a session without a transaction. */
const [readyForQuery, idle, backendKeyData, terminate] = [...Buffer.from('ZIKX')] as [number, number, number, number]

function withOtherId(message: Buffer): Buffer {
  if (message[0] !== backendKeyData) return message
  const changed = Buffer.from(message)
  changed.writeInt32BE(1, 5)
  return changed
}
