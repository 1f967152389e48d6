/**
 * Serves the inbox: npm run node -- examples/browser-inbox/serve.ts
 *
 * INBOX_PORT says where it listens. Open it with `#url=http://127.0.0.1:4010&key=any` for the mock (`npm run mock`). A server wants
 * to be told that the page may call it: MAYFLY_CORS_ORIGINS=http://127.0.0.1:4021
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @param port 0 for any free port */
export async function serveInbox(port: number) {
  const page = await readFile(new URL('./index.html', import.meta.url))
  const server = createServer((request, response) => {
    const isPage = request.url!.split('?', 1)[0] === '/'
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(isPage ? page : 'Not found')
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

if (import.meta.main) {
  await import('../as-program.ts')
  const inbox = await serveInbox(Number(process.env['INBOX_PORT'] ?? 4021))
  console.log(`The inbox is at ${inbox.url}, with the mock's mail at ${inbox.url}/#url=http://127.0.0.1:4010&key=any`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void inbox.close())
}
