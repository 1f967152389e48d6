import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { isExecutable } from '../server/program-file.ts'

const script = fileURLToPath(new URL('../build/dashboard.ts', import.meta.url))

/** A build that is under way or has ended. */
export interface DashboardBuild {
  /** Resolves when the files are there, or cannot be made. */
  ended: Promise<void>
  /** Logs the time of the build when it ends, or its error: without a dashboard the rest of the server works. */
  report(log: Logger): void
}

/**
 * In a checkout, builds the dashboard in a process of its own unless it is up to date. Packages and the executable have it built.
 * @param stop ends the process
 */
export function buildDashboard(stop: AbortSignal): DashboardBuild {
  const startedAt = performance.now()
  const run = isExecutable || !existsSync(script)
    ? Promise.resolve('')
    : promisify(execFile)(process.execPath, [script], { signal: stop }).then(({ stdout }) => stdout)
  return {
    ended: run.then(() => {}, () => {}),
    report(log) {
      run.then((built) => {
        if (built) log.info(`built the dashboard in ${Math.round(performance.now() - startedAt)} ms`)
      }, (error: unknown) => {
        if (!stop.aborted) log.warn(error, 'the dashboard cannot be built')
      })
    },
  }
}
