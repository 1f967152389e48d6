import { readFileSync } from 'node:fs'

export interface ProcessorTimes {
  /** The id of the parent process. */
  parent: number
  /** Processor time that all threads of the process have used, in milliseconds. */
  ownMs: number
  /** That of its child processes that have ended. */
  endedMs: number
}

/** Linux counts in ticks of 10 ms. */
const tickMs = 10

/** @throws Error when there is no such process */
export function processorTimes(pid: number): ProcessorTimes {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
  const sumOf = (first: number) => (fields[first]! + fields[first + 1]!) * tickMs // time in the process and in the kernel
  return { parent: fields[1]!, ownMs: sumOf(11), endedMs: sumOf(13) }
}
