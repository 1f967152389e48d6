import { readFileSync, statSync } from 'node:fs'

/** The first of the bytes that SQLite locks of a file, where none of its data ever stands. */
const firstLockedByte = 0x4000_0000

/**
 * The process that has locked a SQLite file against all others, where the system tells: Linux does, in /proc/locks.
 * @returns undefined where it does not, or where the process is one of another PID namespace
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
