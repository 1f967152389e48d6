/**
 * Makes calls with different paths, during repeated garbage collections, and prints the result of each. Runs until it is killed: the
 * connections that are open then were not closed by an abort or a time-out.
 */
import { Mayfly } from '@mayfly-mail/sdk'
import type { RequestOptions } from '@mayfly-mail/sdk'
import { calls } from './calls.ts'

export interface HostileCall {
  name: string
  call: string
  /** The signal or the time-out of the call. */
  ending: 'abort' | 'time-out' | 'nothing'
}

/** Milliseconds until each call is ended: all have reached the server by then, also on a busy machine. */
const endMs = 4_000

if (import.meta.main) {
  const { gc } = globalThis
  if (!gc) throw new Error('It needs --expose-gc')
  const [url, wanted] = process.argv.slice(2)
  setInterval(() => void gc(), 50)
  const outcomes = await Promise.all((JSON.parse(wanted!) as HostileCall[]).map(async (one) => [one.name, await outcomeOf(`${url}/${one.name}`, one)]))
  process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`)
}

async function outcomeOf(baseUrl: string, { call, ending }: HostileCall): Promise<string> {
  const sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl, maxRetries: 0 })
  const controller = new AbortController()
  if (ending === 'abort') setTimeout(() => controller.abort(new Error('enough')), endMs)
  try {
    await run(call, sdk, { signal: controller.signal, timeoutMs: ending === 'time-out' ? endMs : 600_000 })
    return 'success'
  } catch (error) {
    return String(error)
  }
}

async function run(call: string, sdk: Mayfly, options: RequestOptions) {
  if (call !== 'events.subscribe') return calls[call]!(sdk, options)
  for await (const event of sdk.events.subscribe({ signal: options.signal })) throw new Error(`${event.type} came`)
}
