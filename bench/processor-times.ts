import { readdirSync, readFileSync } from 'node:fs'

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

/** Processor time of a process and of its child processes, also those that have ended, in milliseconds. */
export function familyMs(pid: number): number {
  const main = processorTimes(pid)
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((other) => timesOf(Number(other)))
  return others.filter(({ parent }) => parent === pid).reduce((sum, { ownMs }) => sum + ownMs, main.ownMs + main.endedMs)
}

/** None for a process that ends meanwhile. */
function timesOf(pid: number): ProcessorTimes[] {
  try {
    return [processorTimes(pid)]
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return []
    throw error
  }
}

/** Processor time that all work of the machine has used, and that its host has taken, in milliseconds. */
export function machineMs(): number {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/ +/).slice(1).map(Number)
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = fields
  return [user, nice, system, interrupts, softInterrupts, stolen].reduce<number>((sum, ticks) => sum + ticks!, 0) * tickMs
}
