import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The name server of this domain and its subdomains never answers. */
export const silentDomain = 'silent.example'

export interface Dns extends Disposable {
  /** The value for `MAYFLY_DNS_SERVERS`. */
  servers: string
}

/** Opens a DNS server on loopback that answers NXDOMAIN, except for one domain, for which it does not answer. */
export async function openDns(): Promise<Dns> {
  const socket = createSocket('udp4')
  const silent = Buffer.from('\x06silent\x07example', 'latin1')
  socket.on('message', (question, { address, port }) => {
    if (Buffer.from(question.toString('latin1').toLowerCase(), 'latin1').includes(silent)) return
    const answer = Buffer.from(question)
    answer.writeUInt16BE(0x8183, 2) // response, NXDOMAIN
    socket.send(answer, port, address)
  })
  socket.on('error', () => {}) // the client has gone
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { servers: `127.0.0.1:${socket.address().port}`, [Symbol.dispose]: () => socket.close() }
}
