import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Context, Next } from 'koa'
import { maskSecrets } from '../../server/api-key-format.ts'
import { document } from '../../server/contract/document.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'
import { httpLimits } from '../../server/http/limits.ts'
import { openValidation, operationIds } from '../../server/http/operations/call.ts'
import { serveDocs, serveDocuments } from '../../server/http/pages/docs.ts'
import { answerErrors, closeUnread, openCors } from '../../server/http/wire/middleware.ts'
import { openLog } from '../../server/log.ts'
import { MockAnswers } from './answer.ts'
import { answersOf } from './examples.ts'
import { choosePreferred, readPrefer } from './preference.ts'

export interface MockOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  /** The `Prefer` of requests without one. */
  prefer?: string
  /** The dialect of requests without the header that names one; default: primary. */
  dialect?: DialectName
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
 * Serves the examples of the document, and the document itself, with CORS for every origin.
 * @throws AppError `INVALID_REQUEST` when no operation has the preferred example
 */
export async function openMock({ host, port, prefer = '', dialect = 'primary', log, now = Date.now }: MockOptions): Promise<Mock> {
  const validation = await openValidation(document)
  const examples = new Map(operationIds.map((operationId) => [operationId, answersOf(document, operationId)]))
  choosePreferred([], readPrefer(prefer), [...examples.values()].flat())
  const closing = new AbortController()
  const errors = { log: openLog('error', process.stderr) }
  let url = ''

  const koa = new Koa()
  koa.on('error', () => {}) // errors of broken connections
  koa.use(async (ctx, next) => {
    ctx.state.dialect = dialect
    await next()
    if (!ctx.req.complete) await closeUnread(ctx, httpLimits)
  })
  if (log) koa.use(logRequests(log))
  koa.use(answerErrors(errors))
  koa.use(openCors(['*'], ['Preference-Applied']))
  koa.use(serveDocuments(() => url))
  koa.use(serveDocs(errors))
  koa.use(new MockAnswers({ validation, examples, prefer, dialect, now, closing: closing.signal }).answer)

  const server = createServer(koa.callback())
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  url = `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
  return {
    url,
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
  const { error } = (ctx.body ?? {}) as { error?: string | { message: string } }
  const applied = ctx.response.get('preference-applied') as string | undefined
  log(maskSecrets([ctx.method, ctx.url, ctx.status, applied ?? (typeof error === 'object' ? error.message : error)].join(' ').trimEnd()))
}
