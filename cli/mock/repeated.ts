import type { Caller } from '../../server/context.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import { keyedRequest, usedOtherwise } from '../../server/http/keyed-request.ts'
import type { MockRequest } from './mock-request.ts'

/** Maximum number of remembered keys; the oldest is dropped first. */
const maxKeys = 1000

/**
 * Remembers requests by their `Idempotency-Key`.
 * @returns a function that is true for a repeated request, and throws AppError `CONFLICT` when a different request had its key
 */
export function repeatedRequests(): (request: MockRequest, caller: Caller) => boolean {
  const fingerprints = new Map<string, string>()
  return ({ operationId, path, query, body, headers }, caller) => {
    const key = operations[operationId].method === 'get' ? undefined : headers['idempotency-key']
    if (key === undefined) return false
    const { name, fingerprint } = keyedRequest(String(key), caller, { operationId, path, query, body })
    const earlier = fingerprints.get(name)
    if (earlier !== undefined && earlier !== fingerprint) throw usedOtherwise()
    if (fingerprints.size >= maxKeys) fingerprints.delete(fingerprints.keys().next().value!)
    fingerprints.set(name, fingerprint)
    return earlier !== undefined
  }
}
