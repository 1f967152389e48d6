import { writeFileSync } from 'node:fs'
import { createClient } from '@hey-api/openapi-ts'
import { Document, visit } from 'yaml'
import { agentShapes, agentSkill } from './agent-tools.ts'
import { classicDocumentOf } from './classic.ts'
import { clientSupport } from './client-support.ts'
import config from './generate.config.ts'
import { classicFile, documentFor, operationsOf, readDocument } from './document.ts'
import type { Audience } from './document.ts'
import { generatePython, pythonContext } from './python/index.ts'
import { pythonSamples } from './python/samples.ts'
import { sdkSamples } from './samples.ts'

const imports = `import type * as dashboard from '../../dashboard/src/api/generated/types.gen.ts'
import type * as sdk from '../../sdk/generated/types.gen.ts'
import type { Json } from './json.ts'
`

/**
 * Writes all generated code: the SDKs', the dashboard's client, the server's types, document, table of operations and samples of the SDKs,
 * and the schemas and the skill of the tools for agents.
 */
await createClient(await config)
writeFileSync(new URL('../sdk/generated/operations.gen.ts', import.meta.url), sdkOperations())
writeContract('types.gen.ts', types())
writeContract('operations.gen.ts', operationsTable())
writeContract('document.gen.json', `${JSON.stringify(readDocument())}\n`) // read at start: parsing YAML takes half a second
writeContract('samples.gen.json', samples())
const classic = await classicDocumentOf(readDocument())
writeContract('document.classic.gen.json', `${JSON.stringify(classic)}\n`)
writeFileSync(classicFile, `# This file is made from openapi.yaml and classic.overlay.yaml by \`npm run generate\`\n\n${toYaml(classic)}`)
generatePython(documentFor('api'))
writeFileSync(new URL('../mcp/shapes.gen.ts', import.meta.url), agentShapes())
writeFileSync(new URL('../skills/mayfly/SKILL.md', import.meta.url), agentSkill())
writeFileSync(new URL('../server/mime/checks/client-support.gen.ts', import.meta.url), clientSupport())

/** Texts that end with empty lines are quoted: readers of YAML differ in what they take for the end of a block. */
function toYaml(value: object): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.endsWith('\n\n')) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 140 })
}

function writeContract(name: string, text: string) {
  writeFileSync(new URL(`../server/contract/${name}`, import.meta.url), text)
}

/** By operation, for the reference. */
function samples() {
  const document = documentFor('api')
  const operationIds = operationsOf(document).map(({ operationId }) => operationId)
  const [typescript, python] = [sdkSamples(operationIds), pythonSamples(pythonContext(document))]
  return `${JSON.stringify(Object.fromEntries(operationIds.map((id) => [id, { typescript: typescript[id], python: python[id] }])), null, 2)}\n`
}

function types() {
  const apiNames = Object.keys(documentFor('api').components!.schemas!)
  const names = Object.keys(readDocument().components!.schemas!)
  const sourceOf = (name: string) => apiNames.includes(name) ? 'sdk' : 'dashboard'
  return `// This file is made from the document by \`npm run generate\`

${imports}
${names.map((name) => `export type ${name} = Json<${sourceOf(name)}.${name}>`).join('\n')}
`
}

/** `addresses.list` → `AddressesList`, with which the names of its types begin. */
function typeName(operationId: string) {
  return operationId.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function sdkOperations() {
  const operations = operationsOf(documentFor('api'))
  return `// This file is made from the document by \`npm run generate\`

import type * as types from './types.gen.ts'

/** The method of each operation, and its path behind \`/api/v1\`. */
export const operations = {
${operations.map(({ operationId, method, path }) => `  '${operationId}': '${method.toUpperCase()} ${path.replace('/api/v1', '')}',`).join('\n')}
}

/** The types of the parameters and of the answer of each operation. */
export interface Operations {
${operations.map(({ operationId, status }) => {
    const type = `types.${typeName(operationId)}`
    return `  '${operationId}': { input: ${type}Data, answer: ${type}Responses[${status}] }`
  }).join('\n')}
}
`
}

function operationsTable() {
  const operations = operationsOf(readDocument())
  const sources: Record<Audience, string> = { api: 'sdk', dashboard: 'dashboard' }
  return `// This file is made from the document by \`npm run generate\`

${imports}
/**
 * The method and path of each operation, the scope that a key needs (null where no key may call it), whether it is called without a key and
 * without a session, whether with the token of a share link alone, and the status of its success.
 */
export const operations = {
${operations.map(({ operationId, method, path, scope, isPublic, isShared, status, isStream }) =>
    `  '${operationId}': { method: '${method}', path: '${path}', scope: ${scope && `'${scope}'`}, isPublic: ${isPublic}, isShared: ${isShared}, status: ${status}, isStream: ${isStream} },`).join('\n')}
} as const

/** The types of the input and of the reply of each operation. */
export interface Operations {
${operations.map(({ operationId, audience, status }) => {
    const type = `${sources[audience]}.${typeName(operationId)}`
    return `  '${operationId}': { input: Json<${type}Data>, reply: Json<${type}Responses[${status}]> }`
  }).join('\n')}
}

export type OperationId = keyof Operations
`
}
