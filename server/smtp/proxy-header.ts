import { isIP } from 'node:net'
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
export const mayBeProxyHeader = (bytes: Buffer): boolean => [signature, lineStart].some((begin) =>
  bytes.subarray(0, begin.length).equals(begin.subarray(0, bytes.length)))

/**
 * Reads the header of the PROXY protocol, version 1 or 2, at the beginning of a connection (docs/decisions/0010).
 * @returns undefined while it is incomplete
 * @throws Error when it is malformed
 * @see https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | undefined {
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
