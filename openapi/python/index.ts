import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsOf } from '../document.ts'
import { operationsFile } from './operations-file.ts'
import { asyncResourcesFile, resourcesFile } from './resources-file.ts'
import type { Context } from './shapes.ts'
import { typesFile } from './types-file.ts'

const folder = new URL('../../python/src/mayfly/_generated/', import.meta.url)

const files: Record<string, (context: Context) => string> = {
  '__init__.py': () => '',
  'version.py': versionFile,
  'types.py': typesFile,
  'operations.py': operationsFile,
  'resources.py': resourcesFile,
  'async_resources.py': asyncResourcesFile,
}

/** Writes the generated modules of the Python SDK. */
export function generatePython(document: OpenAPIV3_1.Document) {
  mkdirSync(folder, { recursive: true })
  for (const [name, write] of Object.entries(files)) writeFileSync(new URL(name, folder), write(pythonContext(document)))
}

export const pythonContext = (document: OpenAPIV3_1.Document): Context => ({
  document,
  operations: new Map(operationsOf(document).map(({ method, path, operationId }) => [`${method.toUpperCase()} ${path}`, operationId])),
})

function versionFile() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return `"""The version of this package. This file is made from package.json by \`npm run generate\`."""\n\nversion = '${version}'\n`
}
