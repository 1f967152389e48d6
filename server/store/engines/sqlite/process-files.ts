import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The name of a file that belongs to this process alone. @param prefix the name before the process id */
export const nameOfProcess = (prefix: string): string => `${prefix}${process.pid}`

/** Removes the files of a prefix that killed processes have left, and the files beside them. */
export function removeAbandoned(prefix: string): void {
  const folder = dirname(prefix)
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(basename(prefix)) && /^(\d+)(?:-|$)/.exec(name.slice(basename(prefix).length)) || []
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isAlive(pid: number) {
  if (pid === process.pid) return false // of an earlier process with this number
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
