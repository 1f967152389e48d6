import { spawn } from 'node:child_process'
import type { Logger } from 'pino'

/**
 * Reports the state of the server to systemd, as sd_notify(3) describes, where `NOTIFY_SOCKET` is set. Node cannot open a socket of its
 * kind (a datagram socket of Unix), so `systemd-notify` sends each message; the unit needs `NotifyAccess=all`.
 * @param env the process environment, except in tests
 */
export function openServiceManager(env: NodeJS.ProcessEnv, log: Logger): { ready(status: string): void, stopping(): void } {
  let heartbeat: NodeJS.Timeout | undefined
  let hasFailed = false
  const notify = (...messages: string[]) => {
    if (!env['NOTIFY_SOCKET']) return
    const fail = (reason: string) => {
      if (hasFailed) return
      hasFailed = true // later heartbeats are tried: the next may succeed
      log.warn(`NOTIFY_SOCKET: systemd cannot be told that the server is ready or runs: ${reason}; Type=exec needs no report`)
    }
    const child = spawn('systemd-notify', messages, { env: { PATH: env['PATH'], NOTIFY_SOCKET: env['NOTIFY_SOCKET'] }, stdio: 'ignore' })
    child.unref() // the end of the server does not wait for it; it waits at most 5 seconds for systemd
    child.on('error', (error: NodeJS.ErrnoException) => fail(error.code === 'ENOENT' ? 'systemd-notify is not installed' : error.message))
    child.on('exit', (code, signal) => { if (code !== 0) fail(`systemd-notify ended with ${code ?? signal}`) })
  }
  return {
    ready(status) {
      notify('READY=1', `STATUS=${status}`)
      const periodMs = watchdogMs(env) / 2
      if (periodMs > 0) heartbeat = setInterval(() => notify('WATCHDOG=1'), periodMs).unref()
    },
    stopping() {
      clearInterval(heartbeat)
      notify('STOPPING=1')
    },
  }
}

/** The time within which the watchdog of systemd needs a message; 0 for none. */
function watchdogMs({ WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid }: NodeJS.ProcessEnv): number {
  const isForOther = pid !== undefined && Number(pid) !== process.pid
  return isForOther || !/^\d+$/.test(microseconds ?? '') ? 0 : Number(microseconds) / 1_000
}
