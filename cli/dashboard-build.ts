import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { isExecutable, readProgramFile } from '../server/program-file.ts'

const script = fileURLToPath(new URL('../build/dashboard.ts', import.meta.url))

/** Maximum characters of an error of the build in the log. */
const maxErrorLength = 1_000

/** A build that is under way or has ended. */
export interface DashboardBuild {
  /** Whether the pages can be shown, once the files are there, or cannot be made. */
  ended: Promise<boolean>
  /** Logs the time of the build when it ends, or its error: without a dashboard the rest of the server works. */
  report(log: Logger): void
}

/**
 * In a checkout, builds the dashboard in a process of its own unless it is up to date. Packages and the executable have it built.
 * @param stop ends the process
 */
export function buildDashboard(stop: AbortSignal): DashboardBuild {
  const startedAt = performance.now()
  const canBuild = !isExecutable && existsSync(script)
  const run = canBuild ? promisify(execFile)(process.execPath, [script], { signal: stop }).then(({ stdout }) => stdout) : Promise.resolve('')
  return {
    ended: run.then(isBuilt, isBuilt),
    report(log) {
      run.then((built) => {
        if (built) log.info(`prepared the dashboard in ${Math.round(performance.now() - startedAt)} ms`)
      }, (error: Error & { stderr?: string }) => {
        if (!stop.aborted) log.warn(`the dashboard cannot be built: ${(error.stderr || error.message).trim().slice(0, maxErrorLength)}`)
      })
    },
  }
}

function isBuilt(): boolean {
  try {
    return readProgramFile(new URL('../dashboard/dist/dashboard.json', import.meta.url)) !== ''
  } catch {
    return false
  }
}
