import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A read header: its length, and the client; null when the proxy connects for itself, such as to check the server. */
export interface ProxyHeader {
  bytes: number
  client: { address: string, port: number } | null
}

/** Maximum bytes of a header of version 1, with its line break. */
const maxLineBytes = 107
/** Maximum bytes of a header of version 2 that are read: 16, two addresses, and additional fields. */
const maxBinaryBytes = 4096
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const binaryStart = 16
const lineStart = Buffer.from('PROXY ', 'latin1')

/** Whether the first bytes of a connection are those of a header, as far as they are there. */
const mayBeProxyHeader = (bytes: Buffer): boolean => [signature, lineStart].some((begin) =>
  bytes.subarray(0, begin.length).equals(begin.subarray(0, bytes.length)))

/**
 * Reads the header of the PROXY protocol, version 1 or 2, at the beginning of a connection (docs/decisions/0010).
 * @returns undefined while it is incomplete
 * @throws Error when it is malformed
 * @see https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
 */
function readProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  const start = bytes.subarray(0, signature.length)
  if (start.equals(signature.subarray(0, start.length))) return start.length < signature.length ? undefined : readBinary(bytes)
  return readLine(bytes)
}

function readLine(bytes: Buffer): ProxyHeader | undefined {
  const start = bytes.subarray(0, 6).toString('latin1')
  if (!'PROXY '.startsWith(start)) throw malformed()
  const end = bytes.subarray(0, maxLineBytes).indexOf('\r\n')
  if (end < 0 && bytes.length < maxLineBytes) return undefined
  if (end < 0) throw malformed()
  const [, protocol, address, target, port, targetPort, ...more] = bytes.toString('latin1', 0, end).split(' ')
  if (protocol === 'UNKNOWN') return { bytes: end + 2, client: null }
  const version = protocol === 'TCP4' ? 4 : protocol === 'TCP6' ? 6 : undefined
  const isGood = version !== undefined && isAddress(address, version) && isAddress(target, version) && more.length === 0
    && isPort(port) && isPort(targetPort)
  if (!isGood) throw malformed()
  return { bytes: end + 2, client: { address: address!, port: Number(port) } }
}

/** `isIP` accepts a zone such as `%eth0`, which has a meaning on one host only. */
const isAddress = (text = '', version: number) => isIP(text) === version && !text.includes('%')

const isPort = (text: string | undefined) => text !== undefined && /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535

/** Address families of version 2 with TCP, and the bytes of one address. */
const addressBytes: Record<number, number | undefined> = { 0x11: 4, 0x21: 16 }
/** Command "local": the connection is the proxy's own. */
const local = 0x20
const proxied = 0x21

function readBinary(bytes: Buffer): ProxyHeader | undefined {
  if (bytes.length < binaryStart) return undefined
  const command = bytes[12]!
  const family = bytes[13]!
  const length = binaryStart + bytes.readUInt16BE(14)
  if (command !== local && command !== proxied || length > maxBinaryBytes) throw malformed()
  if (bytes.length < length) return undefined
  if (command === local || family === 0) return { bytes: length, client: null }
  const size = addressBytes[family]
  if (size === undefined || length < binaryStart + 2 * size + 4) throw malformed()
  const address = ipaddr.fromByteArray([...bytes.subarray(binaryStart, binaryStart + size)]).toString()
  return { bytes: length, client: { address, port: bytes.readUInt16BE(binaryStart + 2 * size) } }
}

const malformed = () => new Error('The header of the PROXY protocol is malformed')

interface HeaderExpectation {
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
