import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { nodeAt, resolveRef } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer } from '../support/raw-request.ts'
import { exampleBodies, fillPath, primaryContract } from './requests.ts'
import type { Contract } from './requests.ts'

/** An example of an answer in the document. */
export interface DocumentExample {
  name: string
  status: number
  summary: string
  value: any
  /** Undefined where the answer has no content. */
  contentType: string | undefined
  /** The first example of the success status: the answer to a request without `Prefer`. */
  isDefault: boolean
  /** The violations of the answer's schema in a body. */
  faultsOf(body: unknown): unknown[]
}

/** The id in a path, for an example whose id is not known. */
const anyId = '019ceb92-ea80-752e-bca9-6513269e0d37'
/** Operations on `{id}` whose answer has the id of another resource. */
const aboutOthers = ['webhooks.test', 'webhooks.redeliver']

/** By contract, the validator of its answers. */
const validators = new Map<Contract, Ajv2020>()

function validatorOf(contract: Contract): Ajv2020 {
  const known = validators.get(contract)
  if (known) return known
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(closedAnswers(contract.document), 'document')
  validators.set(contract, ajv)
  return ajv
}

/** Every example of every answer of an operation. An answer without content has one, `empty`. @param contract that of the operation */
export function examplesOf(operation: DocumentOperation, contract = primaryContract): DocumentExample[] {
  const { path, method, definition, status: success } = operation
  const { document } = contract
  return Object.entries(definition.responses!).flatMap(([status, response]) => {
    const pointer = '$ref' in response ? response.$ref : `#${['', 'paths', path, method, 'responses', status].map(escapePointer).join('/')}`
    const [content] = Object.entries<any>(nodeAt(document, pointer).content ?? {})
    const [contentType, { examples }] = content ?? [undefined, { examples: { empty: { summary: '', value: '' } } }]
    return Object.entries<any>(examples).map(([name, example], index) => ({
      name,
      contentType,
      status: Number(status),
      isDefault: Number(status) === success && index === 0,
      ...resolveRef(document, example) as { summary: string, value: unknown },
      faultsOf(body: unknown) {
        if (contentType !== 'application/json') return typeof body === 'string' ? [] : ['it is not text']
        const validate = validatorOf(contract).getSchema(`document${pointer}/content/${escapePointer(contentType)}/schema`)!
        void validate(body)
        return validate.errors ?? []
      },
    }))
  })
}

/** The body in the form of the examples: parsed if it is JSON. */
export const bodyOf = ({ headers, json, text }: RawAnswer): any => headers['content-type']?.startsWith('application/json') ? json : text

export interface Ask {
  /** The header `Prefer`. */
  prefer?: string
  /** The example to request: the path gets its id. */
  example?: DocumentExample
  body?: unknown
  /** That of the operation; default: the primary one. */
  contract?: Contract
}

/** Sends the document's example request for an operation. */
export function ask(
  url: string, operation: DocumentOperation, { prefer, example, body = exampleBodies(operation)[0], contract }: Ask = {},
): Promise<RawAnswer> {
  const { operationId } = operation
  const { value } = example ?? examplesOf(operation, contract).find(({ isDefault }) => isDefault)!
  const ownId: string | undefined = aboutOthers.includes(operationId) ? undefined : value?.data?.id
  const query = operationId === 'analytics.daily' ? `?days=${value?.data?.length ?? 2}` : ''
  return rawRequest(url, {
    method: operation.method.toUpperCase(),
    path: fillPath(operation, (name) => name === 'id' && ownId || anyId) + query,
    headers: { ...contract?.headers, authorization: 'Bearer svc_test_mock', ...body !== undefined && { 'content-type': 'application/json' }, ...prefer && { prefer } },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

const escapePointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** An example as the mock answers it: its `missing-scope` names the scope of the operation. */
export function shownBy({ scope }: DocumentOperation, { name, value }: DocumentExample): any {
  return name === 'missing-scope' ? JSON.parse(JSON.stringify(value).replace('emails:write', String(scope))) : value
}
