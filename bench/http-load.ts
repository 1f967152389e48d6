import { Agent, request } from 'node:http'

/** Calls servers on this host over kept-open connections. */
export interface HttpLoad {
  get(port: number, path: string): Promise<string>
  /** @throws Error unless the answer is a success */
  call(port: number, method: string, path: string, body?: string, headers?: Record<string, string>): Promise<string>
  close(): void
}

export function openHttp(key: string): HttpLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const call: HttpLoad['call'] = (port, method, path, body, more) => new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json', 'content-length': body.length }), ...more }
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk })
      response.on('end', () => response.statusCode! < 300 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)))
    })
    sent.on('error', reject)
    sent.end(body)
  })
  return { call, get: (port, path) => call(port, 'GET', path), close: () => agent.destroy() }
}
