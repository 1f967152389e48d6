import { exampleSource } from '../sdk/shared-suite.ts'
import { openTestApp } from '../support/app.ts'
import { openMock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer } from '../support/raw-request.ts'

export type Call = (method: string, path: string, options?: { body?: unknown, headers?: Record<string, string> }) => Promise<RawAnswer>

/** The mock or the server, called with a test key. */
export interface AnswerWorld extends AsyncDisposable {
  call: Call
}

async function openServerWorld(): Promise<AnswerWorld> {
  const app = await openTestApp({ isRealTime: true })
  const key = await app.newKey({ isTest: true })
  return { call: callOf(app.url, key), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function openMockWorld(): Promise<AnswerWorld> {
  const mock = await openMock()
  return { call: callOf(mock.url, 'svc_test_mock'), [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose]() }
}

export const answerWorlds = [['the server', openServerWorld], ['the mock', openMockWorld]] as const

const callOf = (url: string, key: string): Call => (method, path, { body, headers } = {}) => rawRequest(url, {
  method,
  path: `/api/v1${path}`,
  headers: { authorization: `Bearer ${key}`, ...body !== undefined && { 'content-type': 'application/json' }, ...headers },
  body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
})

/** Creates an address and delivers the email of the document's examples to it. */
export async function newMailbox(call: Call): Promise<{ addressId: string, address: string, emailId: string }> {
  const { id: addressId, address } = (await call('POST', '/addresses', { body: { alias: 'checkout-test', expiresIn: 86_400 } })).json.data
  const { id: emailId } = (await call('POST', '/test/emails', { body: { to: address, raw: exampleSource } })).json.data
  return { addressId, address, emailId }
}
