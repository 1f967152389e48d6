import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import type { Email } from '../../server/contract/types.gen.ts'
import { addressIdOf } from '../../server/http/operations/validation.ts'
import type { ExampleAnswer, ExampleResources } from './examples.ts'
import type { MockRequest } from './mock-request.ts'

/** An example by its status and name. */
type Choice = Pick<ExampleAnswer, 'status' | 'example'>

type Choose<Id extends OperationId> = (request: MockRequest<Id>, resources: ExampleResources) => Partial<Choice>

const choices: { [Id in OperationId]?: Choose<Id> } = {
  'emails.list': ({ query }) => query.is_deleted === 'true' ? { status: 200, example: 'deleted' } : {},
  'emails.wait': ({ query, after }, { emails, addresses }) => {
    const [email] = emails.values()
    const addressId = addressIdOf(query)
    const isElsewhere = addressId !== undefined && addresses.has(addressId) && addressId !== email!.addressId
    return !isElsewhere && email!.id > after && isAwaited(email!, query) ? {} : { status: 204, example: 'empty' }
  },
  'webhooks.deliveries': ({ path }, { webhooks }) =>
    webhooks.get(path.id)?.isActive === false ? { status: 200, example: 'disabled' } : {},
}

/** The example that fits the contents of a request, by default the first one of the success. */
export function exampleFor(request: MockRequest, answers: ExampleAnswer[], resources: ExampleResources): ExampleAnswer {
  const choose = choices[request.operationId] as Choose<OperationId> | undefined
  const { status = operations[request.operationId].status, example } = choose?.(request, resources) ?? {}
  return answers.find((answer) => answer.status === status && (example ?? answer.example) === answer.example)!
}

function isAwaited(email: Email, { from = '', subject = '' }: MockRequest<'emails.wait'>['query']): boolean {
  return [email.from, email.fromName].some((sender) => has(sender, from)) && has(email.subject, subject)
}

const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())
