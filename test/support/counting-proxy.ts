import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingProxy extends AsyncDisposable {
  url: string
  /** All requests of the browser to other hosts than `localhost`, in their order. */
  requests: { method: string, url: string, headers: IncomingHttpHeaders }[]
}

const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=', 'base64')

/** An HTTP proxy for a browser: it answers each request with an image, or the redirect that the URL names, and connects to nothing. */
export async function openCountingProxy(): Promise<CountingProxy> {
  const requests: CountingProxy['requests'] = []
  const server = createServer(({ method = '', url = '', headers }, response) => {
    requests.push({ method, url, headers })
    const location = new URL(url).searchParams.get('redirect')
    if (location) response.writeHead(302, { location }).end()
    else response.writeHead(200, { 'content-type': 'image/gif', 'cache-control': 'no-store' }).end(gif)
  })
  server.on('connect', ({ method = '', url = '', headers }, socket) => {
    requests.push({ method, url, headers })
    socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
