import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { OpenAPIBackend } from 'openapi-backend'
import type { Operation, Request, Context as Step } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { uuid } from '../../ids.ts'

export type Backend = OpenAPIBackend<OpenAPIV3_1.Document>
export type ApiOperation = Operation<OpenAPIV3_1.Document>

/** The security schemes of the document. */
export type Scheme = 'apiKey' | 'session'

/** A request, on its way through openapi-backend: the steps are called in this order, and each may throw to end it. */
export interface Steps {
  /** As the library takes it. `match` sets its query, and `receive` its body. */
  request: Request
  match(operation: ApiOperation, params: Record<string, string>): void
  /** @returns the holder of a valid key or session; undefined for a request that has none */
  findCaller(scheme: Scheme): Promise<Caller | undefined>
  /** Counts the request, checks what its caller may do, and receives its body. */
  receive(caller: Caller | undefined): Promise<void>
  /** A request that does not fit the document. @param errors of Ajv */
  refuse(errors: unknown[]): never
  /** The checks that need the whole request, and no database. */
  check(): void
  carryOut(): Promise<object>
  answer(reply: object): void
  /** A request whose path or method no operation has. */
  refuseUnmatched(): Promise<never>
}

/**
 * The document as openapi-backend serves it (docs/decisions/0001). The last argument of `handleRequest` is the `Steps` of the request.
 */
export async function openBackend(document: OpenAPIV3_1.Document): Promise<Backend> {
  const backend = await new OpenAPIBackend<OpenAPIV3_1.Document>({
    definition: document,
    quick: true, // `npm run check` validates the document
    strict: true,
    ignoreTrailingSlashes: false,
    customizeAjv: newAjv,
    securityHandlers: {
      apiKey: (_step: Step, steps: Steps) => steps.findCaller('apiKey'),
      session: (_step: Step, steps: Steps) => steps.findCaller('session'),
    },
    handlers: {
      postRoutingHandler({ operation, request }: Step, steps: Steps) {
        if (operation) steps.match(operation as ApiOperation, request.params as Record<string, string>)
      },
      postSecurityHandler: ({ security }: Step, steps: Steps) => steps.receive(callerOf(security)),
      validationFail: ({ validation: { errors } }: Step, steps: Steps) => steps.refuse(errors ?? []),
      preOperationHandler(_step: Step, steps: Steps) { steps.check() },
      postResponseHandler({ response }: Step, steps: Steps) { steps.answer(response as object) },
      notFound: (_step: Step, steps: Steps) => steps.refuseUnmatched(),
      methodNotAllowed: (_step: Step, steps: Steps) => steps.refuseUnmatched(),
    },
  }).init()
  const documented = backend.getOperations()
  for (const { operationId } of documented) backend.register(operationId!, (_step: Step, steps: Steps) => steps.carryOut())
  backend.router.matchOperation = matchByTable(documented)
  return backend
}

/** @throws the error with which a security handler failed, such as that of the database */
function callerOf({ apiKey, session }: Step['security']): Caller | undefined {
  for (const result of [apiKey, session] as ({ error?: unknown } | undefined)[]) if (result?.error) throw result.error
  return (apiKey ?? session) as Caller | undefined
}

function newAjv() {
  const ajv = new Ajv2020({
    strict: false, allErrors: true, verbose: true, formats: { binary: true, password: true },
    meta: false, validateSchema: false, // to compile the meta-schema takes as long as 20 operations
  })
  addFormats.default(ajv)
  return ajv.addFormat('uuid', uuid) // the package's takes urn:uuid: too
}

/**
 * Finds operations by their table, in place of the library's comparison with the path of each operation by a new regular expression
 * (`npm run bench -- openapi`).
 * @returns a function that throws an Error whose first characters, 404 or 405, choose the handler
 */
function matchByTable(documented: ApiOperation[]): Backend['router']['matchOperation'] {
  const byId = new Map(documented.map((operation) => [operation.operationId, operation]))
  return ({ path, method }: Request) => {
    const known = operationsAt(path)
    for (const id of known) if (operations[id].method === method.toLowerCase()) return byId.get(id)!
    throw new Error(known.length > 0 ? '405-methodNotAllowed' : '404-notFound')
  }
}

/** All operations, those whose path has no parameter first: `/emails/{id}` also matches the path of `/emails/wait`. */
export const operationIds: readonly OperationId[] = (Object.keys(operations) as OperationId[])
  .sort((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)))

function hasParameter(operationId: OperationId) {
  return operations[operationId].path.includes('{')
}

/** Matches the paths of an operation. */
const patternOf = (operationId: OperationId) =>
  new RegExp(`^${operations[operationId].path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

const patterns = operationIds.map((operationId) => ({ operationId, pattern: patternOf(operationId) }))
/** By the paths without a parameter, which most requests have. */
const atFixedPaths = new Map<string, OperationId[]>(
  operationIds.filter((id) => !hasParameter(id)).map((id) => [operations[id].path, matching(operations[id].path)]))

/** The operations at the path of a request, those whose path has no parameter first. */
export const operationsAt = (path: string): readonly OperationId[] => atFixedPaths.get(path) ?? matching(path)

function matching(path: string): OperationId[] {
  const found: OperationId[] = []
  for (const { operationId, pattern } of patterns) if (pattern.test(path)) found.push(operationId)
  return found
}
