import { operations } from './operations.gen.ts'
import type { OperationId } from './operations.gen.ts'

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
const findAt = (path: string) => patterns.filter(({ pattern }) => pattern.test(path)).map(({ operationId }) => operationId)
/** By the paths without a parameter, which most requests have. */
const atFixedPaths = new Map<string, OperationId[]>(
  operationIds.filter((id) => !hasParameter(id)).map((id) => [operations[id].path, findAt(operations[id].path)]))

/** The operations at the path of a request, those whose path has no parameter first. */
export const operationsAt = (path: string): readonly OperationId[] => atFixedPaths.get(path) ?? findAt(path)
