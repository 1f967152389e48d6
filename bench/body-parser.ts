import { Readable } from 'node:stream'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import type { Context } from 'koa'
import { document } from '../server/contract/document.ts'
import { AppError } from '../server/errors.ts'
import { parseBody, readBody, sizeOfBody } from '../server/http/operations/body.ts'
import { openValidation } from '../server/http/operations/call.ts'
import { measureInTurn, median, processorMs, rounds } from './rounds.ts'

/**
 * Measures the time that a JSON body of POST /emails takes until it is validated or refused,
 * read by server/http/operations/body.ts and by @koa/bodyparser.
 */
const maxBytes = 1_048_576
const chunkBytes = 65_536
const mail = { fromAddressId: '019c0000-0000-7000-8000-000000000000', to: 'someone@example.org', subject: 'Hello', body: 'x'.repeat(200) }
const bodies = {
  'mail of 300 bytes': JSON.stringify(mail),
  'mail of 1 MiB': JSON.stringify({ ...mail, bodyHtml: 'x'.repeat(maxBytes - 1_000) }),
  '1 MiB of unknown members': `{${Array.from({ length: maxBytes / 11 - 1 }, (_, i) => `"${String(i).padStart(6, '0')}":0`).join(',')}}`,
  '1 MiB of brackets': '['.repeat(maxBytes / 2) + ']'.repeat(maxBytes / 2),
}

const { backend: { validator } } = await openValidation(structuredClone(document))
const validators = validator.getRequestValidatorsForOperation('emails.send')
const parse = bodyParser({ enableTypes: ['json'], jsonLimit: String(maxBytes) })

const ways: Record<string, (ctx: Context) => Promise<unknown>> = {
  async 'http/body.ts'(ctx) {
    sizeOfBody(ctx)
    return parseBody(await readBody(ctx))
  },
  async '@koa/bodyparser'(ctx) {
    await parse(ctx, async () => {})
    return ctx.request.body
  },
}

const koa = new Koa()
console.log(`milliseconds of processor time a body, median of ${rounds} rounds`)
for (const [name, text] of Object.entries(bodies)) {
  const count = text.length < chunkBytes ? 2_000 : 5
  const outcomes: Record<string, string> = {}
  const times = await measureInTurn(Object.entries(ways).map(([way, read]) => async () => {
    const contexts = Array.from({ length: count }, () => arrive(Buffer.from(text)))
    const before = process.cpuUsage()
    for (const ctx of contexts) outcomes[way] = await carryOut(read, ctx)
    return processorMs(before) / count
  }))
  for (const [index, way] of Object.keys(ways).entries()) {
    console.log(`  ${name.padEnd(26)} ${way.padEnd(16)} ${median(times[index]!).toFixed(3).padStart(9)}   ${outcomes[way]}`)
  }
}

async function carryOut(read: (ctx: Context) => Promise<unknown>, ctx: Context) {
  try {
    const requestBody = await read(ctx)
    return validators.every((validate) => validate({ path: {}, query: {}, requestBody })) ? 'valid' : 'refused by the schema'
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** A request whose body arrives in chunks, as from a socket. */
function arrive(body: Buffer): Context {
  const pieces = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, i) => body.subarray(i * chunkBytes, (i + 1) * chunkBytes))
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const request = Object.assign(Readable.from(pieces, { objectMode: false }), { method: 'POST', url: '/api/v1/emails', headers, socket: {} })
  return koa.createContext(request as never, {} as never)
}
