import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** The answer to a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface FaultServer extends AsyncDisposable {
  url: string
  /** Method and path of each request. */
  requests: string[]
}

const [key, cert] = ['key', 'cert'].map((name) => readFileSync(new URL(`../support/self-signed/${name}.pem`, import.meta.url)))

/** A server on a free port of 127.0.0.1 whose answers a test sets. @param isTls with a self-signed certificate */
export async function openFaultServer(answer: Answer, isTls = false): Promise<FaultServer> {
  const requests: string[] = []
  const listener: Answer = (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(request, response)
  }
  const server = isTls ? createTlsServer({ key, cert }, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http${isTls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
