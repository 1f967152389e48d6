import { operations } from './operations.gen.ts'
import type { OperationId } from './operations.gen.ts'

/** All operations, those whose path has no parameter first: `/emails/{id}` also matches the path of `/emails/wait`. */
export const operationIds: readonly OperationId[] = (Object.keys(operations) as OperationId[])
  .sort((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)))

function hasParameter(operationId: OperationId) {
  return operations[operationId].path.includes('{')
}

/** Matches the paths of an operation; each parameter is a named group. */
export const pathPattern = (operationId: OperationId): RegExp =>
  new RegExp(`^${operations[operationId].path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
