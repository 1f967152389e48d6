import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openHttp } from './http-load.ts'
import { readMetrics } from './metrics-text.ts'
import { portIn, startServer } from './processes.ts'

/** A server in a process of its own, as a user sees it, and as Linux does. */
export interface BenchServer {
  pid: number
  databaseFile: string
  httpPort: number
  smtpPort: number
  key: string
  /** @returns the parsed body of an answer */
  get(path: string): Promise<any>
  newAddress(): Promise<Box>
  /**
   * Polls the list of an address until it has `count` emails.
   * @param polled gets the number of emails after each answer
   * @returns milliseconds since 1970 at the last answer
   */
  published(addressId: string, count: number, pollMs: number, polled?: (total: number) => Promise<void>): Promise<number>
  /** The longest delay of the event loop since the last call. The first call starts the measurement. */
  loopDelayMs(): Promise<number>
  /** Resident memory now, and its maximum so far. */
  megabytes(): { now: number, max: number }
  stop(): Promise<void>
}

export interface Box {
  id: string
  address: string
}

/** Period of the timer by whose delay Node measures the event loop; it is a part of each of its values. */
const loopPeriodMs = 10

/** @param tracer a command that runs the server */
export async function openServer(databaseFile: string, env: Record<string, string> = {}, tracer: string[] = []): Promise<BenchServer> {
  const started = await startServer(databaseFile, env, tracer)
  const [httpPort, smtpPort] = [portIn(started.output, 'http'), portIn(started.output, 'smtp')]
  const key = /svc_live_\w+/.exec(started.output)![0]
  const http = openHttp(key)
  const get = async (path: string) => JSON.parse(await http.get(httpPort, `/api/v1${path}`))
  const memory = (field: string) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${started.pid}/status`, 'utf8'))![1]) / 1024)
  return {
    pid: started.pid,
    databaseFile,
    httpPort,
    smtpPort,
    key,
    get,
    newAddress: async () => JSON.parse(await http.call(httpPort, 'POST', '/api/v1/addresses', '{}')).data as Box,
    async published(addressId, count, pollMs, polled) {
      for (;;) {
        const { total } = await get(`/emails?address_id=${addressId}&limit=1`)
        const answeredAt = Date.now()
        await polled?.(total)
        if (total >= count) return answeredAt
        if (pollMs > 0) await pause(pollMs)
      }
    },
    async loopDelayMs() {
      const seconds = readMetrics(await http.get(httpPort, '/metrics')).sum('nodejs_eventloop_lag_max_seconds')
      return Math.max(0, seconds * 1000 - loopPeriodMs)
    },
    megabytes: () => ({ now: memory('VmRSS'), max: memory('VmHWM') }),
    stop() {
      http.close()
      return started.stop()
    },
  }
}
