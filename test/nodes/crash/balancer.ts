import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface Balancer extends AsyncDisposable {
  port: number
}

/** Forwards each TCP connection to the next port that accepts it. @param ports of 127.0.0.1, at this moment */
export async function openBalancer(ports: () => number[]): Promise<Balancer> {
  let turn = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {}).once('close', () => sockets.delete(client)) // `close` follows an error
    const all = ports()
    forward(client, all.map((_, i) => all[(turn + i) % all.length]!))
    turn++
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function forward(client: Socket, [port, ...others]: number[]) {
    if (port === undefined) return client.destroy()
    const node = connect({ port, host: '127.0.0.1', noDelay: true })
    let isConnected = false
    node.once('connect', () => {
      isConnected = true
      client.setNoDelay().pipe(node)
      node.pipe(client)
    })
    node.on('error', () => {}).once('close', () => {
      if (isConnected) client.destroy()
      else forward(client, others)
    })
    client.once('close', () => { if (isConnected) node.destroy() })
  }

  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
