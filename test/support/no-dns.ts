import { createSocket } from 'node:dgram'
import { once } from 'node:events'

let servers: Promise<string> | undefined

/**
 * A DNS server on loopback for which no name exists, as `MAYFLY_DNS_SERVERS` takes it: a test sends no query to other hosts.
 * There is one a process, and it does not keep the process from ending.
 */
export function noDns(): Promise<string> {
  return servers ??= open()
}

async function open() {
  const socket = createSocket('udp4').unref()
  socket.on('message', (question, { address, port }) => {
    const answer = Buffer.from(question)
    answer.writeUInt16BE(0x8183, 2) // a response: no such name
    socket.send(answer, port, address)
  })
  socket.on('error', () => {}) // the client is gone
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${socket.address().port}`
}
