import { createSocket } from 'node:dgram'
import { once } from 'node:events'

let servers: Promise<string> | undefined

/**
 * A DNS server on loopback without any names, for `MAYFLY_DNS_SERVERS`: tests send no query to other hosts. There is one per process,
 * and it does not keep the process from ending.
 */
export function noDns(): Promise<string> {
  return servers ??= open()
}

async function open() {
  const socket = createSocket('udp4').unref()
  socket.on('message', (question, { address, port }) => {
    const answer = Buffer.from(question)
    answer.writeUInt16BE(0x8183, 2) // NXDOMAIN
    socket.send(answer, port, address)
  })
  socket.on('error', () => {}) // the client has disconnected
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${socket.address().port}`
}
