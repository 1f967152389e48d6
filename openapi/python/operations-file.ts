import { pythonOperations } from './operations.ts'
import type { Argument, PythonOperation } from './operations.ts'
import type { Context } from './shapes.ts'
import { call, head, parametersOf } from './signature.ts'

const imports = `"""The request of each operation. This file is made from the document by \`npm run generate\`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from .._answers import item, item_in_data, page, whole_list
from .._core.ids import After
from .._core.request import Request
from .._lists import Page
from .._not_given import NOT_GIVEN, NotGiven
from .._requests import filled, flag, given, optional_cursor, optional_id
from . import types
`

/** \`operations.py\`: a function for each operation, which makes its request. */
export const operationsFile = (context: Context): string => `${imports}\n\n${pythonOperations(context).map(operation).join('\n\n\n')}\n`

function operation(operation: PythonOperation): string {
  const { operationId, method, functionName, definition } = operation
  const query = operation.arguments.filter(({ place }) => place === 'query')
  const body = operation.arguments.filter(({ place }) => place === 'body')
  const lines = [
    `operation='${operationId}',`,
    `method='${method.toUpperCase()}',`,
    `path=${path(operation)},`,
    ...query.length > 0 ? [queryMembers(query.map((argument) => `'${argument.name}': ${queryValue(operationId, argument)}`))] : [],
    ...definition.requestBody ? [`${call('', 'body=given', bodyParts(body))},`] : [],
    `parse=${parser(operation)},`,
    `is_change=${method === 'get' ? 'False' : 'True'},`,
    ...operation.result.kind === 'file' ? [`accept='${operation.result.accept}',`] : [],
  ]
  const written = lines.flatMap((line) => line.split('\n')).map((line) => `        ${line}`).join('\n')
  return `${head(`def ${functionName}`, parametersOf(operation), `Request[${resultType(operation)}]`, '')}
    return Request(
${written}
    )`
}

/** The arguments of `given`: members that may be null apart, since None leaves out the others. */
function bodyParts(members: Argument[]): string[] {
  const pair = ({ name, python }: Argument) => `('${name}', ${python})`
  const nullable = members.filter(({ isNullable }) => isNullable).map(pair)
  return [...members.filter(({ isNullable }) => !isNullable).map(pair), ...nullable.length > 0 ? [`nullable=[\n        ${nullable.join(',\n        ')},\n    ]`] : []]
}

/** On one line where they fit. */
function queryMembers(entries: string[]): string {
  const line = `query={${entries.join(', ')}},`
  return line.length <= 100 ? line : `query={\n${entries.map((entry) => `    ${entry},`).join('\n')}\n},`
}

function path({ path, arguments: all, operationId }: PythonOperation): string {
  const ids = all.filter(({ place }) => place === 'path')
  const short = path.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, name: string) => `{${ids.find((id) => id.name === name)!.python}}`)
  return ids.length === 0 ? `'${short}'` : call('', 'filled', [`'${operationId}'`, `'${short}'`, ...ids.map(({ python }) => `${python}=${python}`)])
}

function queryValue(operationId: string, { python, annotation }: Argument): string {
  if (annotation === 'After') return `optional_cursor(${python}, '${operationId}')`
  if (python.endsWith('_id')) return `optional_id(${python}, '${operationId}: ${python}')`
  return annotation === 'bool' ? `flag(${python}, '${operationId}: ${python}')` : python
}

function parser({ result: { kind, type, isInData, items } }: PythonOperation): string {
  if (kind === 'file') return 'bytes'
  const parse = `types.${type}.from_json`
  if (kind === 'page') return `page(${parse}, '${items}', is_in_data=${isInData ? 'True' : 'False'})`
  if (kind === 'list') return `whole_list(${parse})`
  if (type === 'DomainChecked') return `item(${parse}, with_message=True)`
  return isInData ? `item_in_data(${parse})` : `item(${parse})`
}

function resultType({ result: { kind, type } }: PythonOperation): string {
  if (kind === 'file') return type
  return kind === 'item' ? `types.${type}` : `Page[types.${type}]`
}
