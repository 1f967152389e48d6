import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { NotFoundError, PermissionError } from '@mayfly-mail/sdk'
import type { Mayfly } from '@mayfly-mail/sdk'
import { newMcpServer } from './server.ts'

/** An id that no email has. */
const noEmail = '00000000-0000-7000-8000-000000000000'

/**
 * Serves one client over stdin and stdout, until stdin ends or the signal is aborted.
 * @throws errors of the SDK, when the server cannot be reached or refuses the key
 */
export async function serveMcpOnStdio(
  { mayfly, version, signal }: { mayfly: Mayfly, version: string, signal: AbortSignal },
): Promise<void> {
  const scopes = await findScopes(mayfly, signal)
  const transport = new StdioServerTransport()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const handle = serveStdio(() => newMcpServer({ mayfly, version, scopes }), { transport, maxSubscriptions: 0 })
  process.stdin.once('close', end).once('end', end)
  signal.addEventListener('abort', () => end())
  await ended
  await handle.close()
  signal.throwIfAborted()
}

/** Which of the two scopes of tools the key has: the API has no operation that tells a key its scopes, but checks them first. */
async function findScopes({ emails }: Mayfly, signal: AbortSignal): Promise<string[]> {
  const [canRead, canWrite] = await Promise.all([
    isAllowed(emails.get(noEmail, { signal })),
    isAllowed(emails.delete(noEmail, { signal })), // deletes nothing
  ])
  return [...canRead ? ['emails:read'] : [], ...canWrite ? ['emails:write'] : []]
}

async function isAllowed(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return true
    if (error instanceof PermissionError && error.code === 'MISSING_SCOPE') return false
    throw error
  }
}
