import { Agent, request } from 'node:http'
import type { AgentOptions } from 'node:http'

export interface Call {
  method?: string
  /** The path below /api/v1. */
  path: string
  key?: string
  body?: unknown
  /** A body that is sent unchanged, in place of `body`. */
  text?: string | Buffer
  headers?: Record<string, string>
}

interface Answer {
  status: number
  text: string
}

export interface HttpClient {
  call(call: Call): Promise<Answer>
  close(): void
}

/** Opens a client with its own connections. @param from the local address to connect from */
export function openHttp(port: number, from: string, options: AgentOptions = {}): HttpClient {
  // localAddress is an option of each connection, which the agent passes on
  const agent = new Agent({ keepAlive: true, ...options, localAddress: from })
  return {
    call: ({ method = 'GET', path, key, body, text = body === undefined ? undefined : JSON.stringify(body), headers = {} }) =>
      new Promise((resolve, reject) => {
        const sent = request({
          agent,
          port,
          host: '127.0.0.1',
          method,
          path: `/api/v1${path}`,
          headers: {
            ...(key && { authorization: `Bearer ${key}` }),
            ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
            ...headers,
          },
        }, (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode!, text: Buffer.concat(parts).toString() }))
        })
        sent.on('error', reject)
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}
