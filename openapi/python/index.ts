import { mkdirSync, writeFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsOf } from '../document.ts'
import { operationsFile } from './operations-file.ts'
import { asyncResourcesFile, resourcesFile } from './resources-file.ts'
import { typesFile } from './types-file.ts'

const folder = new URL('../../python/src/mayfly/_generated/', import.meta.url)

/** Writes the generated modules of the Python SDK. */
export function generatePython(document: OpenAPIV3_1.Document) {
  const operations = new Map(operationsOf(document).map(({ method, path, operationId }) => [`${method.toUpperCase()} ${path}`, operationId]))
  const context = { document, operations }
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('types.py', folder), typesFile(context))
  writeFileSync(new URL('operations.py', folder), operationsFile(context))
  writeFileSync(new URL('resources.py', folder), resourcesFile(context))
  writeFileSync(new URL('async_resources.py', folder), asyncResourcesFile(context))
}
