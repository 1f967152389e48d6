import { readFileSync, statSync } from 'node:fs'

/** Offset of SQLite's lock bytes in a file (PENDING_BYTE). */
const firstLockedByte = 0x4000_0000

/**
 * Finds the process that has an exclusive lock on a SQLite file. Works on Linux only, by /proc/locks.
 * @returns undefined on other systems, and for a process of another PID namespace
 */
export function lockHolder(file: string): number | undefined {
  try {
    const { ino } = statSync(file)
    for (const line of readFileSync('/proc/locks', 'latin1').split('\n')) {
      // 3: POSIX  ADVISORY  WRITE 3228 fe:00:4243603 1073741824 1073742335
      const [, pid, inode, start] = /^\d+: POSIX\s+ADVISORY\s+WRITE\s+(\d+) \w+:\w+:(\d+) (\d+) /.exec(line) ?? []
      if (Number(inode) === ino && Number(start) === firstLockedByte) return Number(pid) || undefined
    }
  } catch { /* no /proc, or none that this user may read */ }
  return undefined
}
