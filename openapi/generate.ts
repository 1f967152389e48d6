import { rmSync, writeFileSync } from 'node:fs'
import { createClient } from '@hey-api/openapi-ts'
import config from './generate.config.ts'
import { operationsOf, readDocument } from './document.ts'
import { timesOf } from './times.ts'

/** Writes all that is made from the document: the SDK's code, the server's types, document and table of operations. */
await createClient(await config)
writeTimes()
writeContract('operations.gen.ts', operationsTable())
writeContract('document.gen.json', `${JSON.stringify(readDocument())}\n`) // read at start: parsing YAML takes half a second

/** In place of functions for each answer, which say the same at many times the length. */
function writeTimes() {
  const { times, maps } = timesOf(readDocument())
  const folder = new URL('../sdk/generated/', import.meta.url)
  rmSync(new URL('transformers.gen.ts', folder))
  writeFileSync(new URL('times.gen.ts', folder), `// This file is made from the document by \`npm run generate\`

/** The members of answers and events that are times, wherever they stand. */
export const times = ${JSON.stringify(times)}

/** Those that hold members of any name. */
export const maps = ${JSON.stringify(maps)}
`)
}

function writeContract(name: string, text: string) {
  writeFileSync(new URL(`../server/contract/${name}`, import.meta.url), text)
}

function operationsTable() {
  const operations = operationsOf(readDocument())
  const typeName = (operationId: string) => operationId.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const imports = operations.flatMap(({ operationId }) => [`${typeName(operationId)}Data`, `${typeName(operationId)}Responses`]).sort()
  return `// This file is made from the document by \`npm run generate\`

import type {
${imports.map((name) => `  ${name},`).join('\n')}
} from './types.gen.ts'

/** What the router needs to know of each operation. */
export const operations = {
${operations.map(({ operationId, method, path, scope, status, isStream }) =>
    `  '${operationId}': { method: '${method}', path: '${path}', scope: '${scope}', status: ${status}, isStream: ${isStream} },`).join('\n')}
} as const

/** What goes in and comes out of each operation. */
export interface Operations {
${operations.map(({ operationId, status }) =>
    `  '${operationId}': { input: ${typeName(operationId)}Data, reply: ${typeName(operationId)}Responses[${status}] }`).join('\n')}
}

export type OperationId = keyof Operations
`
}
