import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** The message that a proxy cuts off: the next `commit`, before the server gets it, or its answer, before the client gets it. */
type Cut = 'request' | 'answer' | null

/** Forwards connections to a PostgreSQL server, and cuts them at a commit when told so. */
export async function openCuttingProxy(target: URL): Promise<{ url: string, cutNext(cut: Cut): void, close(): Promise<void> }> {
  let cut: Cut = null
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {}) // the other end has closed it; `close` follows
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    let isAnswerCut = false
    client.on('data', (bytes) => {
      if (cut !== null && bytes.includes('commit\0')) {
        if (cut === 'request') client.destroy()
        isAnswerCut = cut === 'answer'
        cut = null
      }
      if (!client.destroyed) server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isAnswerCut) client.destroy()
      else client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: String(url),
    cutNext: (next) => { cut = next },
    async close() {
      const closed = once(proxy, 'close')
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
