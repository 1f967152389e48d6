import type { Mayfly, ResponseEvent, RetryEvent } from '@mayfly-mail/sdk'
import { CliError } from '../cli-error.ts'
import { oneLine, say } from '../output.ts'
import { onInterrupt } from './interrupt.ts'
import { readSettings } from './settings.ts'
import type { Settings } from './settings.ts'

export interface Client {
  mayfly: Mayfly
  /** Aborted by Ctrl-C; passed to each call. */
  signal: AbortSignal
  /** Calls the listener once, when the stream of events is open. */
  onConnect(listener: () => void): void
}

/**
 * Runs a command with a client of the configured server.
 * @param list the command that lists the valid names, for the error about an unknown one
 */
export const asClient = (options: { url?: string }, run: (client: Client) => Promise<void>, list?: string): Promise<void> =>
  asClientOf(readSettings(options, process.env), run, list)

/**
 * Runs a command with a client of a server.
 * @throws CliError with the way out
 */
export async function asClientOf(settings: Settings, run: (client: Client) => Promise<void>, list?: string): Promise<void> {
  const signal = onInterrupt()
  // imported late: help and wrong options need no SDK
  const sdk = await import('@mayfly-mail/sdk')
  let connected: (() => void) | undefined
  try {
    const mayfly = new sdk.Mayfly({ ...settings, hooks: { onResponse, onRetry } })
    await run({ mayfly, signal, onConnect: (listener) => { connected = listener } })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!(error instanceof sdk.MayflyError)) throw error
    throw new CliError(explain(error), 1, { cause: error })
  }

  function onResponse({ operation, status }: ResponseEvent) {
    if (operation !== 'events.stream' || status !== 200) return
    connected?.()
    connected = undefined
  }

  /** A stream is reopened without limit, so its first failure is reported here. */
  function onRetry({ operation, attempt, error }: RetryEvent) {
    if (operation === 'events.stream' && attempt === 1) say(`${explain(error)} Retrying until Ctrl-C.`)
  }

  function explain(error: Error) {
    const message = oneLine(error instanceof sdk.ApiError ? error.serverMessage : error.message)
    if (error instanceof sdk.AuthenticationError) {
      return `${settings.baseUrl} refused the API key. ${message.replace(/ Send "Auth.*/, '')} "mayfly login" stores another; MAYFLY_API_KEY overrides it.`
    }
    if (error instanceof sdk.NetworkError) {
      return `${message.replace(/^[\w.]+ got no/, 'There is no')} "mayfly serve" starts one on this machine; --url or MAYFLY_BASE_URL names another server.`
    }
    return error instanceof sdk.NotFoundError && list ? `${message} "${list}" shows them.` : message
  }
}
