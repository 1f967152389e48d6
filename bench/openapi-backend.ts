import Router from '@koa/router'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { OpenAPIBackend, OpenAPIRouter } from 'openapi-backend'
import type { Context, Operation } from 'openapi-backend'
import { document } from '../server/contract/document.ts'
import { openBackend } from '../server/http/openapi-backend.ts'
import type { ApiOperation, MatchedRequest } from '../server/http/openapi-backend.ts'
import { queryReader } from '../server/http/query.ts'
import { openValidation } from '../server/http/validation.ts'
import { describeRatios, measureInTurn, median, processorMs, rounds } from './rounds.ts'

/**
 * Measures the cost of openapi-backend per request: from the path to a handler that gets the caller and the
 * validated parts, by handlers that do nothing. The library by itself uses schemas of its own, which also convert the numbers of a query.
 */
interface Arrived {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body?: object
}

const id = '019c0000-0000-7000-8000-000000000000'
const headers = {
  host: '127.0.0.1:3000', authorization: 'Bearer svc_live_0123456789abcdefghij', accept: '*/*', 'accept-encoding': 'gzip, deflate',
  'accept-language': '*', 'user-agent': 'node', connection: 'keep-alive', 'sec-fetch-mode': 'cors',
}
const requests: Record<string, Arrived> = {
  'GET /addresses/{id}': { method: 'GET', path: `/api/v1/addresses/${id}`, query: '', headers },
  'GET /emails?address_id&limit&offset': { method: 'GET', path: '/api/v1/emails', query: `address_id=${id}&limit=20&offset=40`, headers },
  'POST /emails, 300 bytes': {
    method: 'POST', path: '/api/v1/emails', query: '', headers: { ...headers, 'content-type': 'application/json' },
    body: { fromAddressId: id, to: 'someone@example.org', subject: 'Hello', body: 'x'.repeat(200) },
  },
}

const validation = await openValidation(structuredClone(document))
const security = async () => ({ accountId: id })
let handled = 0
const handle = async ({ request }: Pick<Context, 'request'>) => { handled += (request.query as { limit?: number }).limit ?? 1 }
const steps = {
  securityHandlers: { apiKey: security, session: security },
  handlers: {
    ...Object.fromEntries(validation.router.getOperations().map(({ operationId }) => [operationId!, handle])),
    validationFail({ validation: { errors } }: Context) { throw new Error(JSON.stringify(errors)) },
  },
}

const router = new Router({ sensitive: true })
const byLayer = new Map<unknown, { operation: ApiOperation, readQuery: ReturnType<typeof queryReader> }>()
for (const operation of validation.router.getOperations()) {
  const layer = router.register(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), [operation.method], () => {})
  byLayer.set(layer, { operation, readQuery: queryReader((operation.parameters ?? []) as { name: string, schema?: unknown }[]) })
}
const match = ({ method, path, query, headers, body }: Arrived): MatchedRequest => {
  const layer = router.match(path, method).pathAndMethod.at(-1)!
  const { operation, readQuery } = byLayer.get(layer)!
  return {
    method, path, operation, allowedMethods: [], params: layer.params(path, layer.captures(path)),
    query: readQuery(query) as MatchedRequest['query'], headers, cookies: {}, requestBody: body,
  }
}

async function withoutLibrary(arrived: Arrived) {
  const request = match(arrived)
  await security()
  const parts = { path: request.params, query: request.query, requestBody: request.requestBody }
  for (const validate of validation.validator.getRequestValidatorsForOperation(request.operation!.operationId!)) {
    if (!validate(parts)) throw new Error('not valid')
  }
  await handle({ request: request as never })
}

/** The library with its defaults, and an Ajv for OpenAPI 3.1. */
const openStock = () => new OpenAPIBackend({
  definition: validation.document, quick: true, strict: true, coerceTypes: true,
  customizeAjv: (_ajv, options) => addFormats.default(new Ajv2020(options)),
  ...steps,
}).init()

/** Matches nothing, and parses as the library does. */
class OperationRouter extends OpenAPIRouter {
  override matchOperation(request: object): Operation {
    return (request as MatchedRequest).operation as Operation
  }
}

const stock = await openStock()
const handedOver = await openStock()
handedOver.router = handedOver.validator.router = new OperationRouter({ definition: handedOver.definition }) as typeof handedOver.router
const ours = await openBackend(validation, { ...steps, publicOperations: ['signInLinks.create', 'sessions.create'] })

const ways: Record<string, (arrived: Arrived) => Promise<unknown>> = {
  'schemas called directly': withoutLibrary,
  'handleRequest, operation and parts handed over': (arrived) => ours.handleRequest(match(arrived)),
  'handleRequest, operation handed over': (arrived) => handedOver.handleRequest({ ...arrived, operation: match(arrived).operation } as never),
  'handleRequest as it comes': (arrived) => stock.handleRequest(arrived),
}

const count = 5_000
console.log(`microseconds of processor time a request, ${rounds} rounds of ${count}; the ratio to the schemas called directly`)
for (const [name, arrived] of Object.entries(requests)) {
  const times = await measureInTurn(Object.values(ways).map((way) => () => measure(() => way(arrived))))
  console.log(`\n${name}`)
  for (const [index, way] of Object.keys(ways).entries()) {
    console.log(`  ${way.padEnd(48)} ${median(times[index]!).toFixed(1).padStart(7)}   ${describeRatios(times[index]!, times[0]!, 1)}`)
  }
}
console.log(`\nmatching by @koa/router alone: ${(await measure(async () => { match(requests['GET /addresses/{id}']!) })).toFixed(1)}`)
if (handled === 0) throw new Error('no request was handled')

async function measure(work: () => Promise<unknown>) {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) await work()
  return processorMs(before) / count * 1000
}
