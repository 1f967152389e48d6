import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { openTestApp } from '../support/app.ts'
import { document, unknownId } from './requests.ts'

type Options = { key?: string | null, body?: unknown, headers?: Record<string, string> }

/** The examples of the responses that operations share, by name. */
const examples = Object.assign({}, ...Object.values(document.components!.responses!)
  .map((response) => (response as OpenAPIV3_1.ResponseObject).content!['application/json']!.examples)) as Record<string, { value: unknown }>

describe('OpenAPI document: examples of refusals', () => {
  it('are equal to the answers of a server', async () => {
    await using app = await openTestApp()
    const reader = await app.newKey({ scopes: ['emails:read'] })
    const free = await app.newKey({ plan: 'free' })
    const requests: Record<string, [method: string, path: string, options?: Options]> = {
      'invalid-request': ['GET', '/emails?limit=101'],
      'unknown-member': ['POST', '/addresses', { body: { expires: 60 } }],
      'malformed-id': ['GET', '/emails/1'],
      'invalid-api-key': ['GET', '/emails', { key: null }],
      'missing-scope': ['POST', '/addresses', { key: reader }],
      'plan-required': ['GET', '/emails', { key: free }],
      'not-found': ['GET', `/addresses/${unknownId}`],
      'email-not-found': ['GET', `/emails/${unknownId}`],
      'method-not-allowed': ['PUT', '/addresses'],
      'payload-too-large': ['POST', '/addresses', { body: ' '.repeat(1024 * 1024 + 1) }],
      'unsupported-media-type': ['POST', '/addresses', { body: 'alias=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    }
    for (const [name, [method, path, options]] of Object.entries(requests)) {
      expect((await app.api(method, path, options)).body, name).to.deep.equal(examples[name]!.value)
    }
  })
})
