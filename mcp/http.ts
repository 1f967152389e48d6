import { createMcpHandler } from '@modelcontextprotocol/server'
import { Mayfly } from '@mayfly-mail/sdk'
import type { MayflyOptions } from '@mayfly-mail/sdk'
import { newMcpServer } from './server.ts'

export interface McpHttpOptions extends Required<Pick<MayflyOptions, 'apiKey' | 'baseUrl' | 'fetch'>> {
  /** The body of the request, which has been read. */
  body: unknown
  version: string
  /** The scopes of the key. */
  scopes: readonly string[]
}

/** Answers a request of the streamable HTTP transport. Nothing is kept until the next one, so any node answers it. */
export function answerMcp(request: Request, { body, version, scopes, ...client }: McpHttpOptions): Promise<Response> {
  const handler = createMcpHandler(() => newMcpServer({ version, scopes, mayfly: new Mayfly(client) }), { maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: body })
}
