import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { openHttp } from './http-load.ts'
import { portIn, startServer } from './processes.ts'
import { processorTimes } from './processor-times.ts'
import { inParallel } from './rounds.ts'

/** A server in its own process, whose processor time is measured: other processes change it less than wall-clock time. */
export interface MeasuredServer {
  addressId: string
  call(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<string>
  /** Calls `work` `count` times, 20 calls at once. @returns microseconds of processor time of all threads for each */
  cost(count: number, work: (server: MeasuredServer) => Promise<unknown>): Promise<number>
  stop(): Promise<void>
}

/** Maximum milliseconds after an answer until its audit records are written and its mail is indexed. */
const settleMs = 300

/** Starts a server on its own database, with 100 addresses. */
export async function startMeasured(folder: string, name: string, env: Record<string, string> = {}): Promise<MeasuredServer> {
  const started = await startServer(join(folder, `${name}.db`), env)
  const http = openHttp(/svc_live_\w+/.exec(started.output)![0])
  const port = portIn(started.output, 'http')
  const server: MeasuredServer = {
    addressId: '',
    call: (method, path, body, headers) => http.call(port, method, `/api/v1${path}`, body, headers),
    async cost(count, work) {
      const before = processorUs(started.pid)
      await inParallel(20, count, () => work(server))
      await setTimeout(settleMs)
      return (processorUs(started.pid) - before) / count
    },
    stop() {
      http.close()
      return started.stop()
    },
  }
  for (let i = 0; i < 100; i++) server.addressId = JSON.parse(await server.call('POST', '/addresses', '{}')).data.id
  return server
}

/** Processor time that all threads of a process have used, in microseconds. */
export function processorUs(pid: number): number {
  return processorTimes(pid).ownMs * 1_000
}
