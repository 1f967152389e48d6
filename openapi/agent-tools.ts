import type { OpenAPIV3_1 } from 'openapi-types'
import { catalog, instructions } from '../mcp/catalog.ts'
import { picks } from '../mcp/picks.ts'
import { readDocument, resolveRef } from './document.ts'

type Schema = OpenAPIV3_1.SchemaObject & Record<string, unknown>

const document = readDocument()

/** `mcp/shapes.gen.ts`: JSON Schemas, without references, of what tools take and return. */
export function agentShapes(): string {
  const shapes = Object.fromEntries(Object.entries(picks).map(([name, members]) => {
    const { properties, required } = membersOf(document.components!.schemas![name] as Schema)
    const missing = members.filter((member) => !(member in properties))
    if (missing.length > 0) throw new Error(`mcp/picks.ts: the schema ${name} has no ${missing.join(', ')}`)
    return [name, {
      type: 'object',
      properties: Object.fromEntries(members.map((member) => [member, plain(properties[member])])),
      required: members.filter((member) => required.includes(member)),
    }]
  }))
  return `// This file is made from the document by \`npm run generate\`

/** By the schema of the contract: its members that \`picks.ts\` names. */
export const shapes = ${JSON.stringify(shapes, null, 2)} as const
`
}

/** The members of a schema, with those of the schemas that it extends. */
function membersOf(schema: Schema): { properties: Record<string, unknown>, required: string[] } {
  const { allOf = [], properties = {}, required = [] } = resolveRef<Schema>(document, schema)
  const inherited = allOf.map((part) => membersOf(part as Schema))
  return {
    properties: Object.assign({}, ...inherited.map((part) => part.properties), properties),
    required: [...inherited.flatMap((part) => part.required), ...required],
  }
}

/** A schema with its references resolved, short descriptions, since models read them, and without what JSON Schema does not know. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(resolveRef(document, node as Schema)).filter(([name]) => !name.startsWith('x-') && name !== 'examples')
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'description' ? firstSentence(String(value)) : plain(value)]))
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text.replaceAll(/\s+/g, ' ').trim())?.[0] ?? text.trim()

/** `skills/mayfly/SKILL.md`, of the tools' own texts. */
export const agentSkill = (): string => `---
name: mayfly
description: Email inboxes for agents. Use it to sign up or log in at a website that mails a code or a link, or to read, send and search mail.
---

<!-- This file is made from mcp/catalog.ts by \`npm run generate\` -->

# Mayfly: email inboxes

${instructions}

The tools are those of the MCP server \`mayfly\`: \`mayfly mcp\`, or \`/mcp\` on a Mayfly server.

${Object.entries(catalog).map(([name, { description }]) => `- \`${name}\`: ${description}`).join('\n')}
`
