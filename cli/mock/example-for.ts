import type { Email } from '../../server/contract/types.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import { addressIdOf } from '../../server/http/query.ts'
import type { ExampleResources } from './examples.ts'
import type { MockRequest } from './mock-request.ts'
import type { ExampleAnswer } from './preference.ts'

type Choose<Id extends OperationId> = (request: MockRequest<Id>, resources: ExampleResources) => Partial<ExampleAnswer>

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

/** The example that fits the contents of a request; none where the first example of the success fits. */
export function exampleFor(request: MockRequest, resources: ExampleResources): Partial<ExampleAnswer> {
  return (choices[request.operationId] as Choose<OperationId> | undefined)?.(request, resources) ?? {}
}

function isAwaited(email: Email, { from = '', subject = '' }: MockRequest<'emails.wait'>['query']): boolean {
  return [email.from, email.fromName].some((sender) => has(sender, from)) && has(email.subject, subject)
}

const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())
