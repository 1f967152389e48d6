import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Mail of this domain, and of those below it, has a name server that never answers. */
export const silentDomain = 'silent.example'

export interface Dns extends Disposable {
  /** As `MAYFLY_DNS_SERVERS` takes it. */
  servers: string
}

/** A DNS server on loopback for which no name exists, and which is silent about one domain. */
export async function openDns(): Promise<Dns> {
  const socket = createSocket('udp4')
  const silent = Buffer.from('\x06silent\x07example', 'latin1')
  socket.on('message', (question, { address, port }) => {
    if (Buffer.from(question.toString('latin1').toLowerCase(), 'latin1').includes(silent)) return
    const answer = Buffer.from(question)
    answer.writeUInt16BE(0x8183, 2) // a response: no such name
    socket.send(answer, port, address)
  })
  socket.on('error', () => {}) // the client has gone
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { servers: `127.0.0.1:${socket.address().port}`, [Symbol.dispose]: () => socket.close() }
}
