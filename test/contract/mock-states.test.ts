import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { ApiError, Mayfly } from '@mayfly-mail/sdk'
import { exampleNow } from '../../cli/mock/shift-times.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { rejectionOf } from '../sdk/rejection.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { ask, bodyOf, examplesOf, shownBy } from './document-examples.ts'
import type { DocumentExample } from './document-examples.ts'
import { document, operations } from './requests.ts'

const exampleId = '019ceb92-ea80-752e-bca9-6513269e0d37'
const key = 'svc_test_mock'
const now = () => Date.parse(exampleNow)

describe('Mock: states', () => {
  let mock: Mock
  before(async () => { mock = await openMock({ now }) })
  after(() => mock?.[Symbol.asyncDispose]())

  for (const operation of operations) {
    it(`${operation.operationId} answers with each of its examples by name`, async () => {
      for (const example of examplesOf(operation)) {
        const { name, status } = example
        const answer = await askBriefly(mock, operation, `example=${name}`, example)
        expect(answer, name).to.deep.equal({ status, applied: `example=${name}`, body: shownBy(operation, example) })
        if (status !== 204) expect(example.faultsOf(answer.body), name).to.deep.equal([])
        if (status >= 400) expect((await askBriefly(mock, operation, `code=${status}, example=${name}`, example)).status).to.equal(status)
      }
    })
  }

  it('have names in kebab-case, unique in each operation', () => {
    for (const operation of operations) {
      const names = examplesOf(operation).map(({ name }) => name)
      expect(names, operation.operationId).to.deep.equal([...new Set(names)])
      for (const name of names) expect(name, operation.operationId).to.match(/^[a-z]+(-[a-z]+)*$/)
    }
  })

  it('include every error code that an operation can answer with', () => {
    const codes = (document.components!.schemas!['ErrorCode'] as { enum: string[] }).enum
    const errors = operations.flatMap((operation) => examplesOf(operation).filter(({ status }) => status >= 400))
    const unasked = ['NOT_IMPLEMENTED'] // no operation answers with it
    expect(new Set(errors.map(({ value }) => value.code))).to.deep.equal(new Set(codes.filter((code) => !unasked.includes(code))))
    for (const code of codes.filter((code) => !unasked.includes(code))) {
      const ofName = errors.filter(({ name }) => name === code.toLowerCase().replaceAll('_', '-'))
      expect(new Set(ofName.map(({ value }) => value.code)), code).to.deep.equal(new Set([code]))
    }
  })

  it('are listed in docs/mock.md, with their operations', () => {
    const listed = pageRows().map(({ names, where }) => names.map((name) => [name, where] as const)).flat()
    expect(Object.fromEntries(listed)).to.deep.equal(documentRows())
  })

  it('can be preferred for all requests of a page: operations without the example ignore the header', async () => {
    for (const { operationId } of operations) {
      const operation = operations.find((one) => one.operationId === operationId)!
      if (examplesOf(operation).some(({ name }) => name === 'disabled')) continue
      expect(await askBriefly(mock, operation, 'example=disabled'), operationId).to.deep.equal(await askBriefly(mock, operation))
    }
  })

  it('answers 400 when no operation has the preferred example, and names the examples there are', async () => {
    const [list] = operations
    const misspelt = await askBriefly(mock, list!, 'example=emtpy')
    expect(misspelt.status).to.equal(400)
    expect(misspelt.body).to.include({ code: 'INVALID_REQUEST' })
    expect(misspelt.body.error).to.match(/^header\.Prefer: no operation has an example emtpy\. There are .*empty/)
    expect((await askBriefly(mock, list!, 'code=418')).body.error).to.equal('header.Prefer: no operation answers 418.')
    expect((await askBriefly(mock, list!, 'return=minimal')).status).to.equal(200)
  })

  it('sends Retry-After with 429, and an empty body with 204', async () => {
    const call = (path: string, prefer: string) => fetch(mock.url + path, { headers: { authorization: `Bearer ${key}`, prefer } })
    const limited = await call('/api/v1/emails', 'example=rate-limited')
    expect([limited.status, limited.headers.get('retry-after'), limited.headers.get('x-ratelimit-remaining')]).to.deep.equal([429, '42', '0'])
    const none = await call('/api/v1/emails/wait', 'code=204')
    expect([none.status, await none.text()]).to.deep.equal([204, ''])
    expect(none.headers.get('x-mayfly-cursor')).to.match(/^c1-\d+$/)
    expect((await call('/api/v1/emails', 'code=204')).status).to.equal(200)
    expect((await call('/api/v1/emails/wait', 'example=empty')).status).to.equal(204)
  })

  it('can be the default for all requests', async () => {
    await using empty = await openMock({ prefer: 'example=empty', now })
    const [list] = operations
    expect((await askBriefly(empty, list!)).body.data.addresses).to.deep.equal([])
    expect((await askBriefly(empty, list!, 'example=expired')).body.data.addresses).to.have.length(1)
  })

  describe('in the SDK', () => {
    const preferring = (prefer: string) => ({ headers: { Prefer: prefer } })
    const sdk = () => new Mayfly({ apiKey: key, baseUrl: mock.url, maxRetries: 0 })

    it('are returned as data', async () => {
      expect((await sdk().addresses.list({}, preferring('example=empty'))).addresses).to.deep.equal([])
      expect((await sdk().emails.list({}, preferring('example=last-page')))).to.include({ offset: 4, total: 5, hasMore: false })
      const { subject, fromName, codes } = await sdk().emails.get(exampleId, preferring('example=arabic'))
      expect({ subject, fromName, codes }).to.deep.equal({ subject: 'رمز التأكيد الخاص بك: 482913', fromName: 'متجر السوق', codes: ['482913'] })
      expect((await sdk().emails.get(exampleId, preferring('example=fifty-attachments'))).attachments).to.have.length(50)
      expect((await sdk().emails.list({}, preferring('example=long-subject'))).data[0]!.subject).to.have.length.above(600)
      const [webhook] = await sdk().webhooks.list(preferring('example=disabled'))
      expect(webhook).to.include({ isActive: false, disabledReason: '5 deliveries of one event failed.' })
      expect(Object.values(await sdk().analytics.get(preferring('example=empty'))).every((counter) => counter === 0)).to.equal(true)
      expect((await sdk().emails.get(exampleId, preferring('example=failed'))).failureReason).to.match(/^mx\.shop\.example .*550 5\.1\.1/)
    })

    it('are thrown as errors', async () => {
      const error = await rejectionOf(sdk().addresses.create({}, preferring('example=storage-full')))
      expect(error).to.be.instanceOf(ApiError)
      expect(error).to.include({ status: 507, code: 'STORAGE_FULL' })
      expect(await rejectionOf(sdk().emails.get(exampleId, preferring('code=404')))).to.include({ status: 404, code: 'NOT_FOUND' })
    })
  })
})

/** Every example but the defaults: with its operations, or with its status if it is an error in all of them. */
function documentRows(): Record<string, string> {
  const all = operations.flatMap((operation) => examplesOf(operation).map((state) => ({ ...state, id: operation.operationId })))
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

function pageRows(): { names: string[], where: string }[] {
  const page = readFileSync(new URL('../../docs/mock.md', import.meta.url), 'utf8')
  return [...page.slice(page.indexOf('\n| State |')).matchAll(/^\| (`[^|]+`) \| ([^|]+) \| /gm)].map(([, names, where]) => ({
    names: [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), where: where!.replaceAll('`', '').trim(),
  }))
}

async function askBriefly(mock: Mock, operation: DocumentOperation, prefer?: string, example?: DocumentExample) {
  const answer = await ask(mock.url, operation, { prefer, example })
  return { status: answer.status, applied: answer.headers['preference-applied'], body: bodyOf(answer) }
}
