import { readFileSync, readdirSync } from 'node:fs'

/** Processor time of a process in milliseconds, by the name of the thread. Linux cuts names after 15 characters. */
export type ThreadTimes = Map<string, number>

export const sumOf = (times: ThreadTimes): number => [...times.values()].reduce((sum, ms) => sum + ms, 0)

export interface ThreadWatch extends Disposable {
  /** Time since the last call of this function, or since the start of the watch. */
  take(): ThreadTimes
}

/** A thread that ends loses the time since its last reading. */
const readingMs = 100

export function watchThreads(pid: number): ThreadWatch {
  const folder = `/proc/${pid}/task`
  /** Nanoseconds of each thread, by its number. */
  const counted = new Map<string, number>()
  let times: ThreadTimes = new Map()
  const read = () => {
    for (const thread of readdirSync(folder)) {
      try {
        const nanoseconds = Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])
        const name = readFileSync(`${folder}/${thread}/comm`, 'utf8').trim()
        times.set(name, (times.get(name) ?? 0) + (nanoseconds - (counted.get(thread) ?? 0)) / 1e6)
        counted.set(thread, nanoseconds)
      } catch {
        // the thread has ended
      }
    }
  }
  read()
  times = new Map()
  const timer = setInterval(read, readingMs).unref()
  return {
    take() {
      read()
      const taken = times
      times = new Map()
      return taken
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
