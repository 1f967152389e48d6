import { docstring } from './docs.ts'
import type { PythonOperation } from './operations.ts'
import { methodDoc, resourcesOf } from './resources.ts'
import type { Resource } from './resources.ts'
import type { Context } from './shapes.ts'
import { call, head, parametersOf, passed } from './signature.ts'

const imports = (title: string, ...lines: string[]) => `"""${title} This file is made from the document by \`npm run generate\`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

${lines.join('\n')}
`

const options = 'options: RequestOptions | None = None'

/** \`resources.py\`: a class for each resource with a method for each operation. */
export const resourcesFile = (context: Context): string => `${imports('The methods of the client.',
  'from .._core.ids import After',
  'from .._core.request import RequestOptions',
  'from .._lists import MayflyList',
  'from .._not_given import NOT_GIVEN, NotGiven',
  'from .._resource import Resource',
  'from . import operations, types',
)}

${resourcesOf(context).map((resource) => resourceClass(context, resource)).join('\n\n\n')}
`

const resourceClass = (context: Context, { className, description, operations }: Resource) => `class ${className}(Resource):
${docstring('    ', description)}

${operations.map((operation) => method(context, operation)).join('\n\n')}`

function method(context: Context, operation: PythonOperation) {
  const { methodName, functionName, result: { kind } } = operation
  const request = call('        request = ', `operations.${functionName}`, passed(operation))
  return `${head(`def ${methodName}`, ['self', ...parametersOf(operation, options)], resultType(operation), '    ')}
${methodDoc(context, operation)}
${request}
        return self.${kind === 'item' ? '_call' : '_list'}(request, options)`
}

/** \`async_resources.py\`: the same methods, to be awaited. */
export const asyncResourcesFile = (context: Context): string => `${imports('The methods of the client with \`await\`.',
  'from .._async_lists import AsyncList',
  'from .._async_resource import AsyncResource',
  'from .._core.ids import After',
  'from .._core.request import RequestOptions',
  'from .._not_given import NOT_GIVEN, NotGiven',
  'from . import resources, types',
)}

${resourcesOf(context).map((resource) => asyncClass(context, resource)).join('\n\n\n')}
`

const asyncClass = (context: Context, { className, description, operations }: Resource) => `class Async${className}(AsyncResource[resources.${className}]):
${docstring('    ', description)}

${operations.map((operation) => asyncMethod(context, operation)).join('\n\n')}`

function asyncMethod(context: Context, operation: PythonOperation) {
  const { methodName, result: { kind, type } } = operation
  const parameters = ['self', ...parametersOf(operation, options)]
  const heading = kind === 'item'
    ? head(`async def ${methodName}`, parameters, `types.${type}`, '    ')
    : head(`def ${methodName}`, parameters, `AsyncList[types.${type}]`, '    ')
  return `${heading}
${methodDoc(context, operation)}
        return ${kind === 'item' ? 'await self.run' : 'self._list'}(
${call('            ', `lambda sync: sync.${methodName}`, [...passed(operation), 'options=options'], ',')}
        )`
}

const resultType = ({ result: { kind, type } }: PythonOperation) => kind === 'item' ? `types.${type}` : `MayflyList[types.${type}]`
