import { request } from 'node:http'
import type { Agent, IncomingHttpHeaders } from 'node:http'

export interface RawRequest {
  method?: string
  /** Sent unchanged, including the query. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** A body in chunks without Content-Length, in place of `body`. */
  chunks?: (string | Uint8Array)[]
  /** The source address of the connection, such as 127.0.0.2. */
  from?: string
  agent?: Agent
}

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  /** The text parsed as JSON; undefined when it is not JSON. */
  json: any
}

/** Sends a request unchanged. `fetch` would correct or refuse malformed requests. */
export function rawRequest(url: string, { method = 'GET', path, headers = {}, body, chunks, from, agent }: RawRequest): Promise<RawAnswer> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, path, localAddress: from, agent, headers: { ...length, ...headers } }, (answer) => {
      const parts: Buffer[] = []
      const end = () => {
        const bytes = Buffer.concat(parts)
        const text = bytes.toString()
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes, text, json: asJson(text) })
      }
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        if (answer.headers['content-type'] !== 'text/event-stream') return
        end() // a stream does not end: resolve with its beginning
        sent.destroy()
      })
      answer.on('error', reject)
      answer.on('end', end)
    })
    sent.on('error', reject)
    for (const chunk of chunks ?? []) sent.write(chunk)
    sent.end(body)
  })
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
