import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { document, operations, unknownId } from '../contract/requests.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer } from '../support/raw-request.ts'
import type { Row } from './rows.ts'
import { rows } from './rows.ts'
import { eachRow } from './table.ts'
import type { Proof, SpecTable } from './table.ts'
import { openSpecWorld } from './world.ts'
import type { SpecWorld } from './world.ts'

type ErrorRow = Row<'error code'>

/** Codes that no operation answers with, and codes whose test needs its own server. */
const elsewhere: Partial<Record<ErrorRow, Proof<SpecWorld>>> = {
  '401 INVALID_API_KEY': { file: 'contract/scopes.test.ts' },
  '429 RATE_LIMITED': { file: 'http/rate-limit.test.ts' },
  '500 INTERNAL_ERROR': { file: 'http/failures.test.ts' },
  '507 STORAGE_FULL': { file: 'store/full-disk.test.ts' },
  '501 NOT_IMPLEMENTED': () => {
    expect((document.components!.schemas!['ErrorCode'] as OpenAPIV3_1.SchemaObject).enum).to.include('NOT_IMPLEMENTED')
    for (const { operationId, definition } of operations) expect(definition.responses, operationId).to.not.have.property('501')
  },
}

/** A request for each of the other codes. */
const draws: Partial<Record<ErrorRow, (world: SpecWorld) => Promise<RawAnswer>>> = {
  '400 INVALID_REQUEST': (world) => ask(world, 'GET', '/addresses?limit=0'),
  '403 MISSING_SCOPE': async (world) => ask(world, 'GET', '/addresses', { key: await world.keyWith(['webhooks:manage']) }),
  '403 PLAN_REQUIRED': async (world) => ask(world, 'GET', '/addresses', { key: await world.app.newKey({ plan: 'pro' }) }),
  '404 NOT_FOUND': (world) => ask(world, 'GET', `/addresses/${unknownId}`),
  '405 METHOD_NOT_ALLOWED': (world) => ask(world, 'PUT', '/addresses'),
  async '409 CONFLICT'(world) {
    await ask(world, 'POST', '/addresses', { body: '{"alias":"twice"}' })
    return ask(world, 'POST', '/addresses', { body: '{"alias":"twice"}' })
  },
  '409 ALREADY_VERIFIED': async (world) => ask(world, 'POST', `/forwarding-addresses/${(await world.newVerified()).id}/resend-verification`),
  '409 NOT_VERIFIED': (world) => ask(world, 'POST', '/addresses', { body: '{"domain":"example.com"}' }),
  '413 PAYLOAD_TOO_LARGE': (world) => ask(world, 'POST', '/addresses', { body: `{"alias":"${'a'.repeat(1024 * 1024)}"}` }),
  '415 UNSUPPORTED_MEDIA_TYPE': (world) => ask(world, 'POST', '/addresses', { body: 'alias=a', type: 'application/x-www-form-urlencoded' }),
}

export const errorCodes: SpecTable<ErrorRow, SpecWorld> = {
  open: openSpecWorld,
  proofs: eachRow(rows['error code'], (row) => elsewhere[row] ?? (async (world: SpecWorld) => {
    const [status, code] = row.split(' ')
    const answer = await draws[row]!(world)
    expect(answer.status, answer.text).to.equal(Number(status))
    expect(answer.json).to.include({ code })
    expect(answer.json.error).to.match(/^.{10,300}\.$/)
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(Array.isArray(answer.json.details)).to.equal(code === 'INVALID_REQUEST')
    for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers[`x-ratelimit-${name}`], name).to.match(/^\d+$/)
  })),
}

/** The conditions that the specification describes in words. */
export const conditions: SpecTable<Row<'condition'>, SpecWorld> = {
  open: openSpecWorld,
  proofs: {
    async 'Address id unknown (delete): the address was not found'(world) {
      expectError(await world.app.api('DELETE', `/addresses/${unknownId}`), 404, 'There is no address with this id.')
    },
    async 'Email id unknown (read, delete): the email was not found'(world) {
      for (const method of ['GET', 'DELETE']) {
        expectError(await world.app.api(method, `/emails/${unknownId}`), 404, 'There is no email with this id.')
      }
    },
    async 'Resend verification on a verified forwarding address: the address is already verified'(world) {
      const { id } = await world.newVerified()
      expectError(await world.app.api('POST', `/forwarding-addresses/${id}/resend-verification`), 409, 'The forwarding address is verified already.')
    },
  },
}

function expectError({ status, body }: { status: number, body: { error: string } }, expected: number, error: string) {
  expect([status, body.error]).to.deep.equal([expected, error])
}

const ask = ({ app }: SpecWorld, method: string, path: string, { key = app.key, body, type = 'application/json' }: {
  key?: string, body?: string, type?: string
} = {}) => rawRequest(app.url, {
  method, path: `/api/v1${path}`, body, headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
})
