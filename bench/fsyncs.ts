import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Counts the calls of a process that wait for the disk, by strace (Linux). */
export interface FsyncCount {
  /** The beginning of the command that starts the process. With `-D` its number is that of the process, not of strace. */
  command: string[]
  count(): number
}

/** @param log path of a new file for the calls. @returns undefined when strace is not installed */
export function countFsyncs(log: string): FsyncCount | undefined {
  if (spawnSync('strace', ['--version']).status !== 0) return undefined
  return {
    command: ['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-e', 'trace=fsync,fdatasync,sync_file_range', '-o', log],
    count: () => existsSync(log) ? readFileSync(log, 'utf8').split(/(?:fsync|fdatasync|sync_file_range)\(/).length - 1 : 0,
  }
}
