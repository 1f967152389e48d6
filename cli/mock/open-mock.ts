import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Context, Next } from 'koa'
import type { Caller } from '../../server/context.ts'
import { document } from '../../server/contract/document.ts'
import { openCors } from '../../server/http/cors.ts'
import { answerErrors } from '../../server/http/errors.ts'
import { faultsOnDemand } from '../../server/http/faults.ts'
import { openLog } from '../../server/log.ts'
import { maskSecrets } from '../../server/mask-secrets.ts'
import { loadPrism } from './load-prism.ts'
import type { MockReply } from './load-prism.ts'
import { findOperation, mockOperations } from './operations.ts'
import { choose, readPrefer } from './preference.ts'
import type { Wish } from './preference.ts'
import { checkPath, readBody, refusal } from './read-request.ts'

export interface MockOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** What a request without a header `Prefer` of its own is taken to prefer. */
  prefer?: string
  /** Told of every request. */
  log?: (line: string) => void
}

export interface Mock {
  url: string
  close(): Promise<void>
}

/**
 * Serves the examples of the document to programs and to pages of every origin. Requests are checked against it.
 * @throws AppError `INVALID_REQUEST` when no operation has what is to be preferred
 */
export async function openMock({ host, port, prefer = '', log }: MockOptions): Promise<Mock> {
  const prism = await loadPrism(structuredClone(document))
  const operations = mockOperations(document)
  const everything = operations.flatMap(({ answers }) => answers)
  choose([], readPrefer(prefer), everything)
  const askedFault = faultsOnDemand()
  const closing = new AbortController()

  const koa = new Koa()
  koa.on('error', () => {}) // of connections that broke off
  if (log) koa.use(logRequests(log))
  koa.use(answerErrors({ log: openLog('error', process.stderr) }))
  koa.use(openCors(['*'], ['Preference-Applied']))
  koa.use(async (ctx) => {
    const { method, answers } = findOperation(operations, ctx)
    checkPath(ctx.path)
    const body = await readBody(ctx)
    const caller = callerOf(ctx)
    if (caller) await askedFault(ctx, caller, () => goneSignal(ctx, closing.signal))

    const wish = readPrefer(ctx.get('prefer') || prefer)
    const wanted = choose(answers, wish, everything)
    const url = { path: ctx.path, query: ctx.query as Record<string, string> }
    const { reply, faults } = await prism({ method, url, headers: ctx.headers as Record<string, string>, body }, wanted)
    if (faults.length > 0 && reply.statusCode === 400) throw refusal(faults)
    if (reply.statusCode === wanted.status) ctx.set('Preference-Applied', written(wish))
    send(ctx, reply)
  })

  const server = createServer(koa.callback())
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
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

/** Any key will do. One that says that it is live cannot ask for faults, as on the server. */
function callerOf(ctx: Context): Caller | undefined {
  const [, key] = /^Bearer\s+(\S+)/i.exec(ctx.get('authorization')) ?? []
  return key === undefined ? undefined : { accountId: 'mock', mode: key.startsWith('svc_live_') ? 'live' : 'test' } as Caller
}

function goneSignal(ctx: Context, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  ctx.res.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, closing])
}

function send(ctx: Context, { statusCode, headers = {}, body }: MockReply['reply']) {
  const isEmpty = body === undefined
  for (const [name, value] of Object.entries(headers as IncomingHttpHeaders)) {
    if (!(isEmpty && name.toLowerCase() === 'content-type')) ctx.set(name, String(value))
  }
  ctx.status = statusCode
  ctx.body = isEmpty ? null : typeof body === 'string' ? body : JSON.stringify(body)
  ctx.status = statusCode // an empty body has made it 204
}

const written = ({ code, example }: Wish) =>
  [...code === undefined ? [] : [`code=${code}`], ...example === undefined ? [] : [`example=${example}`]].join(', ')
