import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Transport, VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { program } from '../cli/run.ts'

/** The revisions of the protocol that clients speak: with the handshake of 2025, or without. */
export const eras: VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }]

export interface McpClient extends AsyncDisposable {
  client: Client
  /** Calls a tool, and returns its structured result. @throws Error with the text of a result that is an error */
  call<T = any>(name: string, input?: object): Promise<T>
  /** Calls a tool, and returns its text. */
  read(name: string, input?: object): Promise<{ text: string, isError: boolean }>
}

export async function openClient(transport: Transport, mode: VersionNegotiationMode = 'legacy'): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const read = async (name: string, input: object = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input as Record<string, unknown> })
    return { text: (content as { text: string }[]).map(({ text }) => text).join('\n'), isError }
  }
  return {
    client,
    read,
    async call<T>(name: string, input: object = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: input as Record<string, unknown> })
      if (isError) throw new Error((content as { text: string }[])[0]!.text)
      return structuredContent as T
    },
    async [Symbol.asyncDispose]() {
      await client.close()
    },
  }
}

/** @param urls of servers, which get the requests in turn */
export function httpTransport(urls: string[], key: string): StreamableHTTPClientTransport {
  let requests = 0
  return new StreamableHTTPClientTransport(new URL(`${urls[0]}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (_url, init) => fetch(`${urls[requests++ % urls.length]}/mcp`, init),
  })
}

/** `mayfly mcp` as a process. */
export const stdioTransport = (url: string, key: string): StdioClientTransport => new StdioClientTransport({
  command: process.execPath, args: [program, 'mcp'], env: { MAYFLY_API_KEY: key, MAYFLY_BASE_URL: url },
})
