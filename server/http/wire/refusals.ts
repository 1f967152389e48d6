import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, invalidInput, malformedRequest, payloadTooLarge } from '../../errors.ts'
import type { RateLimit } from '../operations/rate-limit.ts'
import { errorBody } from './middleware.ts'

/** @param error an error of a connection @returns the error of its answer; undefined unless Node's parser refused a request */
export function faultOfParser({ code = '', reason }: NodeJS.ErrnoException & { reason?: string }): AppError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimedOut()
  if (code === 'HPE_HEADER_OVERFLOW') return malformedRequest(431, `The path and the headers of the request are larger than ${maxHeaderSize / 1024} KiB.`)
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return payloadTooLarge('The chunk extensions of the body are larger than 16 KiB.') // of Node, fixed
  if (code === 'HPE_PAUSED_H2_UPGRADE') return invalidInput('This server has no HTTP/2 on this port. Use HTTP/1.1.')
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
