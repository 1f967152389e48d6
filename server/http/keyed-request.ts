import { createHash } from 'node:crypto'
import type { Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import type { KeyOf } from '../store/idempotency-keys.ts'

const header = 'Idempotency-Key'

/** What a request asks for, read and valid. */
export interface Asked {
  operationId: OperationId
  path: object
  query: object
  body: unknown
}

/** A request that may be repeated. */
export interface KeyedRequest extends KeyOf {
  /** The key and whose it is. */
  name: string
  /** The same for the same request. */
  fingerprint: string
}

/** @throws AppError `INVALID_REQUEST` for a malformed key */
export function keyedRequest(key: string, { accountId, mode }: Caller, { operationId, path, query, body }: Asked): KeyedRequest {
  if (!/^[!-~]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters, such as a UUID'
    throw new AppError('INVALID_REQUEST', `header.${header}: ${message}.`, [{ path: `header.${header}`, message }])
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
  new AppError('CONFLICT', `This ${header} was used for another request. Choose a new one for each change.`)

export const answerGone = () => new AppError('CONFLICT',
  `The first request with this ${header} was carried out, but its answer is gone. Look at what is there now; nothing was changed again.`)
