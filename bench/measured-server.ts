import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { noDns } from '../test/support/no-dns.ts'
import { openHttp } from './http-load.ts'
import { portIn, startProcess } from './processes.ts'
import { inParallel } from './rounds.ts'

/** A server in a process of its own, whose processor time is read: it does not depend on what else the machine does. */
export interface MeasuredServer {
  addressId: string
  call(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<string>
  /** Does something that many times, 20 at once. @returns microseconds of processor time of all threads for each */
  cost(count: number, work: (server: MeasuredServer) => Promise<unknown>): Promise<number>
  stop(): Promise<void>
}

/** Milliseconds after which what a server writes a little later is written. */
const restMs = 300

/** Starts a server on a database of its own, with 100 addresses. */
export async function startMeasured(folder: string, name: string, env: Record<string, string> = {}): Promise<MeasuredServer> {
  const started = await startProcess('../cli/mayfly.js', ['serve'], {
    MAYFLY_DATABASE: join(folder, `${name}.db`),
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_RATE_LIMIT: '1000000000',
    MAYFLY_MIN_FREE_BYTES: '0',
    MAYFLY_DNS_SERVERS: await noDns(),
    MAYFLY_LOG_LEVEL: 'warn',
    ...env,
  })
  const http = openHttp(/svc_live_\w+/.exec(started.output)![0])
  const port = portIn(started.output, 'http')
  const processorTime = () => {
    const [, fields] = readFileSync(`/proc/${started.pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields!.split(' ').slice(11, 13) as [string, string]
    return (Number(user) + Number(system)) * 10_000
  }
  const server: MeasuredServer = {
    addressId: '',
    call: (method, path, body, headers) => http.call(port, method, `/api/v1${path}`, body, headers),
    async cost(count, work) {
      const before = processorTime()
      await inParallel(20, count, () => work(server))
      await setTimeout(restMs)
      return (processorTime() - before) / count
    },
    stop() {
      http.close()
      return started.stop()
    },
  }
  for (let i = 0; i < 100; i++) server.addressId = JSON.parse(await server.call('POST', '/addresses', '{}')).data.id
  return server
}
