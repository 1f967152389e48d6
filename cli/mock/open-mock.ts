import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Context, Next } from 'koa'
import { document } from '../../server/contract/document.ts'
import { openCors } from '../../server/http/cors.ts'
import { answerErrors } from '../../server/http/errors.ts'
import { openLog } from '../../server/log.ts'
import { maskSecrets } from '../../server/mask-secrets.ts'
import { answerFrom } from './answer.ts'
import { loadPrism } from './load-prism.ts'
import { mockOperations } from './operations.ts'
import { choosePreferred, readPrefer } from './preference.ts'

export interface MockOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  /** The `Prefer` of requests without one. */
  prefer?: string
  /** Called with a line for every request. */
  log?: (line: string) => void
  /** The time in milliseconds since 1970. */
  now?: () => number
}

export interface Mock {
  url: string
  close(): Promise<void>
}

/**
 * Serves the examples of the document, with CORS for every origin. Requests are validated against the document.
 * @throws AppError `INVALID_REQUEST` when no operation has the preferred example
 */
export async function openMock({ host, port, prefer = '', log, now = Date.now }: MockOptions): Promise<Mock> {
  const prism = await loadPrism(structuredClone(document))
  const operations = mockOperations(document)
  choosePreferred([], readPrefer(prefer), operations.flatMap(({ answers }) => answers))
  const closing = new AbortController()

  const koa = new Koa()
  koa.on('error', () => {}) // errors of broken connections
  if (log) koa.use(logRequests(log))
  koa.use(answerErrors({ log: openLog('error', process.stderr) }))
  koa.use(openCors(['*'], ['Preference-Applied']))
  koa.use(answerFrom({ prism, operations, prefer, now, closing: closing.signal }))

  const server = createServer(koa.callback())
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      closing.abort()
      server.closeAllConnections()
      await closed
    },
  }
}

const logRequests = (log: (line: string) => void) => async (ctx: Context, next: Next) => {
  await next()
  const { error } = (ctx.body ?? {}) as { error?: string }
  const applied = ctx.response.get('preference-applied') as string | undefined
  log(maskSecrets([ctx.method, ctx.url, ctx.status, applied ?? error].join(' ').trimEnd()))
}
