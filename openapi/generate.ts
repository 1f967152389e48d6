import { writeFileSync } from 'node:fs'
import { bundleLibraries } from '../build/libraries.ts'
import { createClient } from '@hey-api/openapi-ts'
import config from './generate.config.ts'
import { operationsOf, readDocument } from './document.ts'

/** Writes all generated code: the SDK's, the server's types, document and table of operations, and libraries as single files. */
await createClient(await config)
writeContract('types.gen.ts', types())
writeContract('operations.gen.ts', operationsTable())
writeContract('document.gen.json', `${JSON.stringify(readDocument())}\n`) // read at start: parsing YAML takes half a second

await bundleLibraries()

function writeContract(name: string, text: string) {
  writeFileSync(new URL(`../server/contract/${name}`, import.meta.url), text)
}

function types() {
  const names = Object.keys(readDocument().components!.schemas!)
  return `// This file is made from the document by \`npm run generate\`

import type * as sdk from '../../sdk/generated/types.gen.ts'
import type { Json } from './json.ts'

${names.map((name) => `export type ${name} = Json<sdk.${name}>`).join('\n')}
`
}

function operationsTable() {
  const operations = operationsOf(readDocument())
  const typeName = (operationId: string) => operationId.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `// This file is made from the document by \`npm run generate\`

import type * as sdk from '../../sdk/generated/types.gen.ts'
import type { Json } from './json.ts'

/** The method, path and required scope of each operation, and the status of its success. */
export const operations = {
${operations.map(({ operationId, method, path, scope, status, isStream }) =>
    `  '${operationId}': { method: '${method}', path: '${path}', scope: '${scope}', status: ${status}, isStream: ${isStream} },`).join('\n')}
} as const

/** The types of the input and of the reply of each operation. */
export interface Operations {
${operations.map(({ operationId, status }) =>
    `  '${operationId}': { input: Json<sdk.${typeName(operationId)}Data>, reply: Json<sdk.${typeName(operationId)}Responses[${status}]> }`).join('\n')}
}

export type OperationId = keyof Operations
`
}
