import { createHash } from 'node:crypto'
import type { Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { conflict, invalidRequest } from '../errors.ts'
import type { KeyOf } from '../store/accounts/idempotency-keys.ts'

const header = 'Idempotency-Key'

/** The parts of a valid request that decide whether another request is the same. */
export interface RequestContent {
  operationId: OperationId
  path: object
  query: object
  body: unknown
}

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest extends KeyOf {
  /** The key with its account and mode. */
  name: string
  /** SHA-256 of the content. */
  fingerprint: string
}

/** @throws AppError `INVALID_REQUEST` for a malformed key */
export function keyedRequest(key: string, { accountId, mode }: Caller, { operationId, path, query, body }: RequestContent): KeyedRequest {
  if (!/^[!-~]{1,255}$/.test(key)) {
    throw invalidRequest(`header.${header}`, 'must be 1 to 255 visible ASCII characters, such as a UUID')
  }
  const { method, path: template } = operations[operationId]
  const fingerprint = createHash('sha256').update(canonical([method, template, path, query, body ?? null])).digest('hex')
  return { accountId, mode, key, name: `${accountId} ${mode} ${key}`, fingerprint }
}

/** JSON that is the same for the same members, whatever their order. */
const canonical = (value: unknown) => JSON.stringify(value, (_name, member: unknown) =>
  member !== null && typeof member === 'object' && !Array.isArray(member)
    ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1))
    : member)

export const usedOtherwise = () =>
  conflict(`This ${header} was used for another request. Choose a new one for each change.`)

export const answerGone = () => conflict(
  `The first request with this ${header} was carried out, but its answer is gone. Look at what is there now; nothing was changed again.`)
