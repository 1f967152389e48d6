import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { add } from '../attack/figures.ts'
import type { Counts } from '../attack/figures.ts'

/** Endpoints of webhooks: one answers, one fails. @returns their URLs */
export async function openReceivers(done: Counts): Promise<{ answering: string, failing: string }> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      add(done, `webhook ${request.url}`)
      response.writeHead(request.url === '/answering' ? 204 : 500).end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { answering: `${url}/answering`, failing: `${url}/failing` }
}
