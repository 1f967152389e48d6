import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, invalidInput, invalidRequest, malformedRequest, payloadTooLarge } from '../errors.ts'
import { errorBody } from './errors.ts'
import type { RateLimit } from './rate-limit.ts'

/** Headers that a request has once at most: Node takes the first or joins them, and a proxy may read another one. */
const singleHeaders = ['host', 'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-mayfly-mode', 'x-mayfly-fault']

/** The fault of a header, in requests that Node's parser accepts; undefined without one. Node would answer without JSON. */
export function faultOfHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): AppError | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return invalidRequest('header.Host', 'is required (RFC 9112, section 3.2)')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return malformedRequest(417, 'header.Expect: must be 100-continue, or left out.')
  }
  const coding = headers['transfer-encoding']
  // against request smuggling (RFC 9112, section 6.1): Node passes on the bytes of other codings, and a proxy of HTTP/1.0 knows no chunks
  if (coding !== undefined && (coding.trim().toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    return invalidRequest('header.Transfer-Encoding', 'must be chunked, in HTTP/1.1, or left out')
  }
  if (Object.keys(headers).length === rawHeaders.length / 2) return undefined // each name is there once
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  const repeated = names.find((name, index) => singleHeaders.includes(name.toLowerCase())
    && names.slice(index + 1).some((other) => other.toLowerCase() === name.toLowerCase()))
  return repeated === undefined ? undefined : invalidRequest(`header.${repeated}`, 'is there more than once; leave out all but one')
}

/** @param error an error of a connection @returns the error of its answer; undefined unless Node's parser refused a request */
export function faultOfParser({ code = '', reason }: NodeJS.ErrnoException & { reason?: string }): AppError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimedOut()
  if (code === 'HPE_HEADER_OVERFLOW') return malformedRequest(431, `The path and the headers of the request are larger than ${maxHeaderSize / 1024} KiB.`)
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return payloadTooLarge('The chunk extensions of the body are larger than 16 KiB.') // of Node, fixed
  return code.startsWith('HPE_') ? invalidInput(`The request is not valid HTTP/1.1${reason ? `: ${reason}` : ''}.`) : undefined
}

/** A request whose rest does not arrive. */
export const requestTimedOut = (): AppError => malformedRequest(408, 'The request did not arrive in time.')

/** The error of a request for a tunnel (CONNECT). */
export const noTunnel = (): AppError => invalidInput('This server is not a proxy: it has no CONNECT.')

/**
 * Answers a request that has no response object, and ends the connection.
 * @param ip the address of the client; undefined when it is not known, and the request is not counted
 */
export async function answerOnSocket(
  socket: Socket, fault: AppError, { ip, limit }: { ip: string | undefined, limit: RateLimit },
): Promise<void> {
  const headers = new Map([['Connection', 'close'], ['X-Request-Id', randomUUID()], ['Content-Type', 'application/json; charset=utf-8']])
  const setHeader = (name: string, value: string) => headers.set(name, value)
  let error = fault
  try {
    if (ip !== undefined) await limit.count({ ip, res: { setHeader } }, undefined)
  } catch (refusal) {
    if (refusal instanceof AppError) error = refusal // too many requests; when the database failed, the fault is answered
  }
  const text = JSON.stringify(errorBody(error, setHeader))
  headers.set('Content-Length', String(Buffer.byteLength(text)))
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]!}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
