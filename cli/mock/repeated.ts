import type { Caller } from '../../server/context.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import { keyedRequest, usedOtherwise } from '../../server/http/keyed-request.ts'
import type { MockRequest } from './mock-request.ts'

/** Number of keys that are remembered; the oldest is forgotten first. */
const maxKeys = 1000

/**
 * Remembers requests by their `Idempotency-Key`.
 * @returns a function that tells whether a request repeats an earlier one, and throws AppError `CONFLICT` when its key is another's
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
