import type { IncomingHttpHeaders } from 'node:http'
import type { OperationId, Operations } from '../../server/contract/operations.gen.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'

/** A valid request to the mock. */
export interface MockRequest<Id extends OperationId = OperationId> {
  operationId: Id
  path: Defined<Operations[Id]['input']['path']>
  query: Defined<Operations[Id]['input']['query']>
  /** The id that `query.after` stands for, in the time of the examples; '' without one. */
  after: string
  /** Null without a body. */
  body: Operations[Id]['input']['body'] | null
  headers: IncomingHttpHeaders
  dialect: DialectName
  /** Whether its header `Prefer` names the example of the answer. */
  isNamed: boolean
  /** Whether it was sent before, with the same `Idempotency-Key`. */
  isReplay: boolean
  /** Its time in milliseconds since 1970. */
  nowMs: number
}

type Defined<T> = Exclude<T, undefined>
