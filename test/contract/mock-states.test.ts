import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { ApiError, Mayfly } from '@mayfly-mail/sdk'
import { operationsOf, readDocument } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rejectionOf } from '../sdk/rejection.ts'

interface State { name: string, status: number, summary: string, value: any, isDefault: boolean, schema: string }

const document = readDocument()
const operations = operationsOf(document)
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(closedAnswers(document), 'document')
const exampleId = '019ceb92-ea80-752e-bca9-6513269e0d37'
const key = 'svc_test_mock'

describe('the states of the mock', () => {
  let mock: Mock
  before(async () => { mock = await openMock() })
  after(() => mock?.[Symbol.asyncDispose]())

  for (const operation of operations) {
    it(`${operation.operationId} answers with each of its examples by name`, async () => {
      for (const { name, status, value, schema } of statesOf(operation)) {
        const answer = await ask(mock, operation, `example=${name}`)
        expect(answer, name).to.deep.equal({ status, applied: `example=${name}`, body: value })
        if (schema && typeof value !== 'string') expect(faultsOf(schema, answer.body), name).to.deep.equal([])
        if (status >= 400) expect((await ask(mock, operation, `code=${status}, example=${name}`)).status).to.equal(status)
      }
    })
  }

  it('have names in kebab-case, each once an operation', () => {
    for (const operation of operations) {
      const names = statesOf(operation).map(({ name }) => name)
      expect(names, operation.operationId).to.deep.equal([...new Set(names)])
      for (const name of names) expect(name, operation.operationId).to.match(/^[a-z]+(-[a-z]+)*$/)
    }
  })

  it('have one for every error code that an operation can answer with', () => {
    const codes = (document.components!.schemas!['ErrorCode'] as { enum: string[] }).enum
    const errors = operations.flatMap((operation) => statesOf(operation).filter(({ status }) => status >= 400))
    const unasked = ['NOT_IMPLEMENTED'] // no operation answers with it
    expect(new Set(errors.map(({ value }) => value.code))).to.deep.equal(new Set(codes.filter((code) => !unasked.includes(code))))
    for (const code of codes.filter((code) => !unasked.includes(code))) {
      const ofName = errors.filter(({ name }) => name === code.toLowerCase().replaceAll('_', '-'))
      expect(new Set(ofName.map(({ value }) => value.code)), code).to.deep.equal(new Set([code]))
    }
  })

  it('are those that the README lists, of the operations that it lists', () => {
    const listed = readmeRows().map(({ names, where }) => names.map((name) => [name, where] as const)).flat()
    expect(Object.fromEntries(listed)).to.deep.equal(documentRows())
  })

  it('are one header for all requests of a page: who has no such example answers as ever', async () => {
    for (const { operationId } of operations) {
      const operation = operations.find((one) => one.operationId === operationId)!
      if (statesOf(operation).some(({ name }) => name === 'disabled')) continue
      expect(await ask(mock, operation, 'example=disabled'), operationId).to.deep.equal(await ask(mock, operation))
    }
  })

  it('says when no operation has what is preferred', async () => {
    const [list] = operations
    const misspelt = await ask(mock, list!, 'example=emtpy')
    expect(misspelt.status).to.equal(400)
    expect(misspelt.body).to.include({ code: 'INVALID_REQUEST' })
    expect(misspelt.body.error).to.match(/^header\.Prefer: no operation has an example emtpy\. There are .*empty/)
    expect((await ask(mock, list!, 'code=418')).body.error).to.equal('header.Prefer: no operation answers 418.')
    expect((await ask(mock, list!, 'return=minimal')).status).to.equal(200)
  })

  it('tells how long to wait with 429, and nothing with 204', async () => {
    const call = (path: string, prefer: string) => fetch(mock.url + path, { headers: { authorization: `Bearer ${key}`, prefer } })
    const limited = await call('/api/v1/emails', 'example=rate-limited')
    expect([limited.status, limited.headers.get('retry-after'), limited.headers.get('x-ratelimit-remaining')]).to.deep.equal([429, '42', '0'])
    const none = await call('/api/v1/emails/wait', 'code=204')
    expect([none.status, await none.text()]).to.deep.equal([204, ''])
    expect(none.headers.get('x-mayfly-cursor')).to.match(/^[0-9a-f-]{36}$/)
    expect((await call('/api/v1/emails', 'code=204')).status).to.equal(200)
    expect((await call('/api/v1/emails/wait', 'example=empty')).status).to.equal(204)
  })

  it('may be what every request prefers', async () => {
    await using empty = await openMock({ prefer: 'example=empty' })
    const [list] = operations
    expect((await ask(empty, list!)).body.data.addresses).to.deep.equal([])
    expect((await ask(empty, list!, 'example=expired')).body.data.addresses).to.have.length(1)
  })

  describe('reach the SDK', () => {
    const preferring = (prefer: string) => ({ headers: { Prefer: prefer } })
    const sdk = () => new Mayfly({ apiKey: key, baseUrl: mock.url, maxRetries: 0 })

    it('as data', async () => {
      expect((await sdk().addresses.list({}, preferring('example=empty'))).addresses).to.deep.equal([])
      expect((await sdk().emails.list({}, preferring('example=last-page')))).to.include({ offset: 4, total: 5, hasMore: false })
      const { subject, fromName, codes } = await sdk().emails.get(exampleId, preferring('example=arabic'))
      expect({ subject, fromName, codes }).to.deep.equal({ subject: 'رمز التأكيد الخاص بك: 482913', fromName: 'متجر السوق', codes: ['482913'] })
      expect((await sdk().emails.get(exampleId, preferring('example=fifty-attachments'))).attachments).to.have.length(50)
      expect((await sdk().emails.list({}, preferring('example=long-subject'))).data[0]!.subject).to.have.length.above(600)
      const [webhook] = await sdk().webhooks.list(preferring('example=disabled'))
      expect(webhook).to.include({ isActive: false, disabledReason: 'Five deliveries of one event failed.' })
      expect(Object.values(await sdk().analytics.get(preferring('example=empty'))).every((counter) => counter === 0)).to.equal(true)
      expect((await sdk().emails.get(exampleId, preferring('example=failed'))).failureReason).to.match(/^mx\.shop\.example .*550 5\.1\.1/)
    })

    it('as errors', async () => {
      const error = await rejectionOf(sdk().addresses.create({}, preferring('example=storage-full')))
      expect(error).to.be.instanceOf(ApiError)
      expect(error).to.include({ status: 507, code: 'STORAGE_FULL' })
      expect(await rejectionOf(sdk().emails.get(exampleId, preferring('code=404')))).to.include({ status: 404, code: 'NOT_FOUND' })
    })
  })
})

/** Every example of every answer of an operation; the first of the success is its default. */
function statesOf({ path, method, definition, status: success }: DocumentOperation): State[] {
  return Object.entries(definition.responses!).flatMap(([status, response]) => {
    const pointer = '$ref' in response ? response.$ref : `#${['', 'paths', path, method, 'responses', status].map(escapePointer).join('/')}`
    const { content = {} } = find(pointer)
    const [first] = Object.entries<any>(content)
    if (!first) return [{ name: 'empty', summary: '', value: '', status: Number(status), isDefault: false, schema: '' }]
    const [type, { examples }] = first
    return Object.entries<any>(examples).map(([name, example], index) => {
      const { summary, value } = example.$ref ? find(example.$ref) : example
      return {
        name, summary, value, status: Number(status), isDefault: Number(status) === success && index === 0,
        schema: `${pointer}/content/${escapePointer(type)}/schema`,
      }
    })
  })
}

/** Every example that has to be asked for: with its operations, or, if it is nothing but an error, with its status. */
function documentRows(): Record<string, string> {
  const all = operations.flatMap((operation) => statesOf(operation).map((state) => ({ ...state, id: operation.operationId })))
  const names = new Set(all.filter(({ isDefault }) => !isDefault).map(({ name }) => name))
  return Object.fromEntries([...names].map((name) => {
    const those = all.filter((state) => state.name === name)
    const statuses = new Set(those.map(({ status }) => status))
    return [name, Math.min(...statuses) >= 400 ? [...statuses].join(' ') : shorten(those.map(({ id }) => id))]
  }))
}

/** `addresses.list, addresses.get` → `addresses.{get,list}`, in order. */
function shorten(ids: string[]): string {
  const byNoun: Record<string, string[]> = {}
  for (const id of ids) {
    const [noun, verb] = id.split('.') as [string, string]
    ;(byNoun[noun] ??= []).push(verb)
  }
  return Object.entries(byNoun).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([noun, verbs]) => verbs.length === 1 ? `${noun}.${verbs[0]}` : `${noun}.{${verbs.sort().join(',')}}`).join(' ')
}

function readmeRows(): { names: string[], where: string }[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const section = /\n## Before there is a server\n(.*?)\n## /s.exec(readme)![1]!
  return [...section.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)].map(([, names, where]) => ({
    names: [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), where: where!.replaceAll('`', '').trim(),
  }))
}

async function ask(mock: Mock, { path, method, definition }: DocumentOperation, prefer?: string) {
  const body = definition.requestBody as { content: Record<string, { examples: Record<string, { value: unknown }> }> } | undefined
  const response = await fetch(mock.url + path.replaceAll(/\{\w+\}/g, exampleId), {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${key}`, ...body && { 'content-type': 'application/json' }, ...prefer && { prefer } },
    body: body && JSON.stringify(Object.values(body.content['application/json']!.examples)[0]!.value),
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer: any = isJson ? await response.json() : await response.text()
  return { status: response.status, applied: response.headers.get('preference-applied'), body: answer }
}

const escapePointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
const find = (pointer: string): any =>
  pointer.split('/').slice(1).reduce((node: any, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** What a schema of the document has against a value. */
function faultsOf(schema: string, value: unknown) {
  const validate = ajv.getSchema(`document${schema}`)!
  void validate(value)
  return validate.errors ?? []
}
