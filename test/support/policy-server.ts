import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { TlsPair } from '../../server/config/tls-pair.ts'

export interface PolicyServer extends AsyncDisposable {
  port: number
  /** The hosts and paths of the requests. */
  requests: string[]
  /** A test may change it at any time. */
  answer: (req: IncomingMessage, res: ServerResponse) => void
}

export const policyText = (mode: string, mx: string, more = '') => `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: 86400\r\n${more}`

/** Answers with a text, as a policy is. */
export const withText = (text: string, type = 'text/plain; charset=utf-8', status = 200) => (_req: IncomingMessage, res: ServerResponse) => {
  res.writeHead(status, { 'content-type': type, 'location': '/elsewhere' }).end(text)
}

/** A server for the files of MTA-STS policies, at a free port of 127.0.0.1. */
export async function openPolicyServer(pair: TlsPair): Promise<PolicyServer> {
  const found: Omit<PolicyServer, keyof AsyncDisposable> = { port: 0, requests: [], answer: withText('', undefined, 404) }
  const server = createServer(pair, (req, res) => {
    found.requests.push(`${req.headers.host?.replace(/:\d+$/, '')}${req.url}`)
    found.answer(req, res)
  }).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => {})
  await once(server, 'listening')
  found.port = (server.address() as AddressInfo).port
  return Object.assign(found, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  })
}

/** Has this process trust a certificate. @returns a function that ends this */
export function trust({ cert }: TlsPair): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  return () => setDefaultCACertificates(before)
}
