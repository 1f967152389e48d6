import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface FaultServer extends AsyncDisposable {
  url: string
  /** Method and path of each request. */
  requests: string[]
}

/** A server on a free port of 127.0.0.1 whose answers a test sets. */
export async function openFaultServer(answer: Answer): Promise<FaultServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** An answer of fixed status, type and body. */
export const fixed = (status: number, type: string | undefined, body: string, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { ...type && { 'content-type': type }, ...headers }).end(body)
  }

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  fixed(status, 'application/json', JSON.stringify(body), headers)
