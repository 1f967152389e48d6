import type { Caller } from '../../server/context.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import { keyedRequest, usedOtherwise } from '../../server/http/operations/idempotency.ts'
import type { MockRequest } from './mock-request.ts'

/** Maximum number of remembered keys; the oldest is dropped first. */
const maxKeys = 1000

/** A request with an `Idempotency-Key`. */
interface Repeatable {
  /** Whether it was sent before. */
  isReplay: boolean
  /** Remembers it: a request that is refused does not use up its key. */
  remember(): void
}

/**
 * Remembers requests by their `Idempotency-Key`.
 * @returns a function that looks for a request; undefined without a key. It throws AppError `CONFLICT` when a different request had the key
 */
export function repeatedRequests(): (request: MockRequest, caller: Caller) => Repeatable | undefined {
  const fingerprints = new Map<string, string>()
  return ({ operationId, path, query, body, headers }, caller) => {
    const key = operations[operationId].method === 'get' || operations[operationId].isPublic ? undefined : headers['idempotency-key']
    if (key === undefined) return undefined
    const { name, fingerprint } = keyedRequest(String(key), caller, { operationId, path, query, body })
    const earlier = fingerprints.get(name)
    if (earlier !== undefined && earlier !== fingerprint) throw usedOtherwise()
    return {
      isReplay: earlier !== undefined,
      remember() {
        if (fingerprints.size >= maxKeys) fingerprints.delete(fingerprints.keys().next().value!)
        fingerprints.set(name, fingerprint)
      },
    }
  }
}
