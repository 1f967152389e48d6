import type { OperationId } from '../contract/operations.gen.ts'

/** The parts of a valid request. */
interface RequestMembers {
  path: Record<string, string>
  query: Record<string, unknown>
  /** Undefined without a body. */
  body: unknown
}

export const secondsPerHour = 3600

/** The default size of a page of emails. */
const emailsPerPage = 20

export type RequestConversions = { [Id in OperationId]?: (request: RequestMembers) => Partial<RequestMembers> }

function withSeconds({ body }: RequestMembers): Partial<RequestMembers> {
  const { expiresIn, ...members } = (body ?? {}) as { expiresIn?: number }
  return { body: expiresIn === undefined ? body : { ...members, expiresIn: expiresIn * secondsPerHour } }
}

/** Of the other operations, requests are the same. Ids are plain already, as in both dialects: `readIds` of `ids.ts`. */
export const classicRequests: RequestConversions = {
  'addresses.create': withSeconds,
  'apiKeys.create': withSeconds,
  'emails.list': ({ query }) => ({ query: { limit: emailsPerPage, ...query } }),
}
