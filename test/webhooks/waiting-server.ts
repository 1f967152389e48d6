import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process that has the server loaded and starts it when it is told to: the time to load it is over by then. */
export interface WaitingServer {
  start(variables: Record<string, string>): Promise<RunningServer>
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export interface RunningServer {
  url: string
  /** Of the first account, at its first start. */
  key: string
}

export function spawnWaitingServer(): WaitingServer {
  const child = fork(fileURLToPath(import.meta.url), { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const loaded = once(child, 'message')
  return {
    async start(variables) {
      await loaded
      const started = once(child, 'message')
      child.send(variables)
      return (await started)[0] as RunningServer
    },
    async kill(signal) {
      child.kill(signal)
      await exited
    },
  }
}

if (process.send) {
  const { openApp } = await import('../../server/app.ts')
  const { readConfig } = await import('../../server/config.ts')
  const { createFirstKey } = await import('../../server/domain/accounts.ts')
  process.once('message', async (variables: Record<string, string>) => {
    const app = await openApp(readConfig(variables))
    process.once('SIGTERM', () => void app.close().then(() => process.exit()))
    process.send!({ url: app.http.url, key: (await createFirstKey(app))?.key ?? '' } satisfies RunningServer)
  })
  process.once('disconnect', () => process.exit())
  process.send('loaded')
}
