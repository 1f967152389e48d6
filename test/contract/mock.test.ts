import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { operationsOf, readDocument } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'

interface Example { name: string, value: unknown }
interface Content { examples: Example[], isJson: boolean, pointer: string }

const document = readDocument()
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(closedAnswers(document), 'document')
const exampleId = '019ceb92-ea80-752e-bca9-6513269e0d37'

describe('the mock', () => {
  let mock: Mock

  before(async () => {
    mock = await openMock()
  })
  after(() => mock?.[Symbol.asyncDispose]())

  for (const operation of operationsOf(document)) {
    describe(operation.operationId, () => {
      it('answers with the first example of its success', async () => {
        const answer = await request(operation)
        const content = contentOf(operation, operation.status)
        expect(answer.status).to.equal(operation.status)
        expect(answer.body).to.deep.equal(content.examples[0]!.value)
      })

      it('has an example of every answer, which its schema allows', async () => {
        for (const status of Object.keys(operation.definition.responses!).filter((status) => status !== '204')) {
          const content = contentOf(operation, status)
          expect(content.examples, status).not.to.deep.equal([])
          for (const { name, value } of content.examples) {
            const answer = await request(operation, { prefer: `code=${status}, example=${name}` })
            expect(answer, `${status} ${name}`).to.deep.equal({ status: Number(status), body: value })
            expect(faultsOf(content, answer.body), `${status} ${name}`).to.deep.equal([])
          }
        }
      })

      if (operation.definition.requestBody) it('takes every example of a request', async () => {
        for (const { name, value } of requestExamples(operation)) {
          expect((await request(operation, {}, value)).status, name).to.equal(operation.status)
        }
      })
    })
  }

  it('refuses a request that the document does not allow', async () => {
    const response = await fetch(`${mock.url}/api/v1/emails?limit=1000`, { headers: { authorization: 'Bearer svc_test_mock' } })
    expect(response.status).to.equal(400)
    expect(await response.json()).to.include({ code: 'INVALID_REQUEST' })
  })

  it('refuses a request without a key', async () => {
    const response = await fetch(`${mock.url}/api/v1/emails`)
    expect(response.status).to.equal(401)
    expect(await response.json()).to.include({ code: 'INVALID_API_KEY' })
  })

  it('refuses what no path or body may be, as the server does', async () => {
    const headers = { authorization: 'Bearer svc_test_mock', 'content-type': 'application/json' }
    const path = await rawRequest(mock.url, { path: '/api/v1/addresses/%E0%A4%A', headers })
    expect([path.status, path.json]).to.deep.equal([400, {
      error: 'The request is not valid: path is not UTF-8 in percent-encoding.',
      code: 'INVALID_REQUEST',
      details: [{ path: 'path', message: 'is not UTF-8 in percent-encoding' }],
    }])
    const chunks = Array.from({ length: 40 }, () => ' '.repeat(64 * 1024))
    const long = await rawRequest(mock.url, { method: 'POST', path: '/api/v1/addresses', headers, chunks })
    expect([long.status, long.json.code]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
  })

  async function request(operation: DocumentOperation, headers: Record<string, string> = {}, body = requestExamples(operation)[0]?.value) {
    const response = await fetch(mock.url + operation.path.replace(/\{\w+\}/g, exampleId), {
      method: operation.method.toUpperCase(),
      headers: {
        authorization: 'Bearer svc_test_mock',
        ...body !== undefined && { 'content-type': 'application/json' },
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: isJson ? await response.json() as unknown : await response.text() }
  }
})

function requestExamples({ definition }: DocumentOperation): Example[] {
  const body = definition.requestBody as { content: Record<string, { examples: Record<string, { value: unknown }> }> } | undefined
  return body ? named(body.content['application/json']!.examples) : []
}

/** The first content of an answer, where it stands in the document. */
function contentOf({ path, method, definition }: DocumentOperation, status: string | number): Content {
  const response = definition.responses![status] as { $ref: string }
  const pointer = response.$ref ?? `#${['', 'paths', path, method, 'responses', String(status)].map(escapePointer).join('/')}`
  const { content } = find(pointer) as { content: Record<string, { examples: Record<string, { value: unknown } | { $ref: string }> }> }
  const [type, { examples }] = Object.entries(content)[0]!
  return { examples: named(examples), isJson: type === 'application/json', pointer: `${pointer}/content/${escapePointer(type)}/schema` }
}

function named(examples: Record<string, { value: unknown } | { $ref: string }>): Example[] {
  return Object.entries(examples).map(([name, example]) => {
    const { value } = '$ref' in example ? find(example.$ref) as { value: unknown } : example
    return { name, value }
  })
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function find(pointer: string): unknown {
  return pointer.split('/').slice(1).reduce((node: any, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

/** What the schema has against a body. */
function faultsOf({ isJson, pointer }: Content, body: unknown) {
  if (!isJson) return typeof body === 'string' ? [] : ['it is not text']
  const validate = ajv.getSchema(`document${pointer}`)!
  void validate(body)
  return validate.errors ?? []
}
