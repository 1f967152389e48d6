import { fromJsonSchema, McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { NotFoundError } from '@mayfly-mail/sdk'
import type { Mayfly } from '@mayfly-mail/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { catalog, instructions } from './catalog.ts'
import type { ToolName } from './catalog.ts'
import { explainError } from './errors.ts'
import { schemas } from './schemas.ts'
import { showEmail, tools } from './tools.ts'
import { withoutUnseen } from './untrusted.ts'

export interface McpOptions {
  version: string
  /** A client with the key of the caller. */
  mayfly: Mayfly
  /** The scopes of the key. */
  scopes: readonly string[]
}

const names = Object.keys(catalog) as ToolName[]

/** Its errors name the member that a schema does not have, too. */
class NamingAjv extends Ajv2020 {
  override errorsText(errors: ErrorObject[] | null | undefined = this.errors): string {
    return (errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath.slice(1) || 'input'} ${message}${params['additionalProperty'] ? `: ${params['additionalProperty']}` : ''}`).join(', ')
  }
}
const ajv = new NamingAjv({ strict: false, validateSchema: false, allErrors: true })
addFormats.default(ajv)
const validator = new AjvJsonSchemaValidator(ajv)

/** Compiled with their first use, for all servers of the process. */
const compiled = Object.fromEntries(names.map((name) => {
  const { input, output } = schemas[name]
  return [name, { inputSchema: fromJsonSchema(input as never, validator), outputSchema: fromJsonSchema(output as never, validator) }]
}))

/** Makes a server of the Model Context Protocol for one connection, or one request over HTTP: it has the tools that the key may use. */
export function newMcpServer({ version, mayfly, scopes }: McpOptions): McpServer {
  const server = new McpServer(
    { name: 'mayfly', title: 'Mayfly', version },
    { instructions, capabilities: { tools: { listChanged: false }, resources: { listChanged: false } } },
  )
  for (const name of names) {
    const { title, description, scopes: needed, annotations } = catalog[name]
    if (!needed.every((scope) => scopes.includes(scope))) continue
    const listed = { title, description, annotations: { title, ...annotations }, ...compiled[name]! }
    server.registerTool(name, listed, (input, ctx) => runTool(name, mayfly, input, ctx))
  }
  if (scopes.includes('emails:read')) addEmails(server, mayfly)
  return server
}

/** Clients may show a model the JSON of a result. */
const toSeen = (_name: string, value: unknown) => typeof value === 'string' ? withoutUnseen(value) : value

async function runTool(name: ToolName, mayfly: Mayfly, input: unknown, { mcpReq }: ServerContext) {
  const { signal, _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  try {
    const { text, data } = await tools[name]({
      mayfly,
      signal,
      report(params) {
        if (progressToken === undefined) return
        // a client that is gone gets no progress
        void mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...params } }).catch(() => {})
      },
    }, input as never)
    return { content: [{ type: 'text' as const, text }], structuredContent: JSON.parse(JSON.stringify(data, toSeen)) }
  } catch (error) {
    if (signal.aborted) throw error
    return { content: [{ type: 'text' as const, text: explainError(error) }], isError: true }
  }
}

function addEmails(server: McpServer, mayfly: Mayfly) {
  const template = new ResourceTemplate('mayfly://emails/{id}', { list: undefined })
  const about = { title: 'Email', description: 'An email by its id, as read_email returns it.', mimeType: 'text/plain' }
  server.registerResource('email', template, about, async ({ href }, { id }, { mcpReq: { signal } }) => {
    const email = await mayfly.emails.get(String(id), { signal }).catch((error: unknown) => {
      throw error instanceof NotFoundError ? new ResourceNotFoundError(href, error.serverMessage) : error
    })
    return { contents: [{ uri: href, mimeType: 'text/plain', text: showEmail(email) }] }
  })
}
