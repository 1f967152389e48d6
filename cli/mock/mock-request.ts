import type { IncomingHttpHeaders } from 'node:http'
import type { OperationId, Operations } from '../../server/contract/operations.gen.ts'

/** A request to the mock. Prism has not looked at it yet, and every member of a query is text. */
export interface MockRequest<Id extends OperationId = OperationId> {
  operationId: Id
  path: Defined<Operations[Id]['input']['path']>
  query: Defined<Operations[Id]['input']['query']>
  /** `query.after` in the time of the examples; '' without one. */
  after: string
  /** Null when there is none. */
  body: Operations[Id]['input']['body'] | null
  headers: IncomingHttpHeaders
  /** Whether its header `Prefer` names the example of the answer. */
  isNamed: boolean
  /** Whether it was sent before, with the same `Idempotency-Key`. */
  isReplay: boolean
  /** When it came, in milliseconds since 1970. */
  nowMs: number
}

type Defined<T> = Exclude<T, undefined>
