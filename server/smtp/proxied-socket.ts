import type { Socket } from 'node:net'
import { mayBeProxyHeader, readProxyHeader } from './proxy-header.ts'
import type { ProxyHeader } from './proxy-header.ts'

export interface HeaderExpectation {
  /** For the whole header. */
  timeoutMs: number
  /** For its first byte, where the connection may begin without a header, or be silent until then; 0 where it may not. */
  optionalMs: number
}

/**
 * Reads the PROXY header at the beginning of a connection, and leaves the bytes after it in the socket.
 * @param done called once, with the header or with an error: it is malformed, late, or the connection has ended. With neither when the
 * header is optional, and is not there
 */
export function receiveProxyHeader(
  socket: Socket, { timeoutMs, optionalMs }: HeaderExpectation, done: (error: Error | null, header?: ProxyHeader) => void,
): void {
  const isOptional = optionalMs > 0
  let received = Buffer.alloc(0)
  const end = (error: Error | null, header?: ProxyHeader) => {
    clearTimeout(timer)
    clearImmediate(late)
    socket.off('readable', read).off('end', endEarly).off('close', endEarly)
    done(error, header)
  }
  const endEarly = () => end(new Error('The connection ended before the header of the PROXY protocol'))
  const read = () => {
    for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
      received = Buffer.concat([received, chunk])
      if (isOptional && !mayBeProxyHeader(received)) {
        socket.unshift(received)
        return end(null)
      }
      try {
        const header = readProxyHeader(received)
        if (!header) continue
        if (header.bytes < received.length) socket.unshift(received.subarray(header.bytes))
        return end(null, header)
      } catch (error) {
        return end(mayBeProxyHeader(received) ? error as Error : new Error('The connection does not begin with the header of the PROXY protocol'))
      }
    }
  }
  const endLate = () => end(new Error('The header of the PROXY protocol did not come'))
  const endSilent = () => {
    if (received.length === 0) return end(null)
    timer = startTimer(endLate, timeoutMs - optionalMs)
  }
  // in the next turn: after a turn that took long, bytes that came in time are read first
  const startTimer = (run: () => void, ms: number) => setTimeout(() => { late = setImmediate(run) }, ms).unref()
  let late: NodeJS.Immediate | undefined
  let timer = isOptional ? startTimer(endSilent, optionalMs) : startTimer(endLate, timeoutMs)
  socket.on('error', () => {}) // a reset connection: `close` follows; the session has a listener of its own
  socket.on('readable', read).on('end', endEarly).on('close', endEarly)
}
