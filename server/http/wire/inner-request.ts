import { request as httpRequest } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { duplexPair, Readable } from 'node:stream'

/**
 * Sends a request to the server of this process.
 * @param address the IP address of the caller for whom it is sent
 * @param identify gets the connection before the server does
 */
export type InnerFetch = (request: Request, address: string, identify: (connection: object) => void) => Promise<Response>

/**
 * Sends requests to a server without the network, for pages that call operations: each is a connection of its own, in memory, with all
 * limits of a connection from that address.
 */
export const openInnerFetch = (server: Server): InnerFetch => async (request, address, identify) => {
  const body = Buffer.from(await request.arrayBuffer())
  const { pathname, search, host } = new URL(request.url)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  httpRequest({
    createConnection() {
      const [near, far] = duplexPair()
      identify(far)
      server.emit('connection', Object.assign(far, { remoteAddress: address }))
      return near
    },
    path: pathname + search,
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), host, ...body.length > 0 && { 'content-length': body.length } },
    signal: request.signal,
  }).once('response', resolve).once('error', reject).end(body)
  const answer = await promise
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304
  if (!hasBody) answer.resume()
  const headers = Object.entries(answer.headers)
    .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value!]))
  return new Response(hasBody ? Readable.toWeb(answer) as ReadableStream : null, { status: answer.statusCode!, headers })
}
