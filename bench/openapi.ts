import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Context } from 'koa'
import { OpenAPIBackend } from 'openapi-backend'
import type { Context as Step } from 'openapi-backend'
import type { Caller } from '../server/context.ts'
import { document } from '../server/contract/document.ts'
import { operations } from '../server/contract/operations.gen.ts'
import { Call, match, openValidation } from '../server/http/operations/call.ts'
import type { Scheme } from '../server/http/operations/call.ts'
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

const caller = { accountId: id } as Caller
let handled = 0

/** The steps of a request that do nothing. */
class IdleCall extends Call {
  async receive() { this.request.body = this.body = bodies.get(this.ctx) }
  async carryOut() { return { handled: handled++ } }
  answer() {}
}

const validation = await openValidation(structuredClone(document))
const server = { validation, authenticate: async (_ctx: Context, scheme: Scheme) => scheme === 'apiKey' ? caller : undefined }
const bodies = new WeakMap<Context, object | undefined>()
const ctxOf = ({ method, path, query, body }: Arrived) => {
  const ctx = { method, path, querystring: query, state: {} } as unknown as Context
  bodies.set(ctx, body)
  return ctx
}

async function withoutLibrary(arrived: Arrived) {
  const call = new IdleCall(server, ctxOf(arrived))
  const operation = validation.backend.router.matchOperation(call.request)!
  match({ operation, request: { params: operation.path.includes('{id}') ? { id } : {} } }, call)
  await server.authenticate(call.ctx, 'apiKey')
  await call.receive()
  const parts = { path: call.path, query: call.query, requestBody: call.body }
  for (const validate of validation.backend.validator.getRequestValidatorsForOperation(call.operationId)) {
    if (!validate(parts)) throw new Error('not valid')
  }
  call.check()
  await call.carryOut()
}

/** The library with its defaults, and an Ajv for OpenAPI 3.1. */
const stock = await new OpenAPIBackend({
  definition: document, quick: true, strict: true, coerceTypes: true,
  customizeAjv: (_ajv, options) => addFormats.default(new Ajv2020(options)),
  securityHandlers: { apiKey: async () => caller, session: async () => undefined },
  handlers: {
    ...Object.fromEntries(Object.keys(operations).map((operationId) => [operationId, async () => ({ handled: handled++ })])),
    validationFail({ validation: { errors } }: Step) { throw new Error(JSON.stringify(errors)) },
  },
}).init()

const ways: Record<string, (arrived: Arrived) => Promise<unknown>> = {
  'schemas called directly': withoutLibrary,
  'handleRequest, operations found by a table': (arrived) => {
    const call = new IdleCall(server, ctxOf(arrived))
    return validation.backend.handleRequest(call.request, call)
  },
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
if (handled === 0) throw new Error('no request was handled')

async function measure(work: () => Promise<unknown>) {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) await work()
  return processorMs(before) / count * 1000
}
