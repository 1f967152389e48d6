import { oneLine, sayOver } from '../output.ts'

/**
 * Shows on stderr that the command waits, and for how long, where stderr is a terminal.
 * @param until the end of the wait, a value of `performance.now()`
 */
export async function spinWhile<T>(text: string, work: Promise<T>, until: number): Promise<T> {
  if (!process.stderr.isTTY) return work
  work.catch(() => {}) // awaited below
  let frame = 0
  const draw = () => {
    const line = `${frames[frame++ % frames.length]} ${oneLine(text)}  ${timeLeft(until - performance.now())}`
    sayOver(line.slice(0, process.stderr.columns - 1)) // a line that wraps could not be drawn over
  }
  draw()
  const timer = setInterval(draw, frameMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
    sayOver('')
  }
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const frameMs = 80

/** As `28 s left`, or `1:05 left`. */
function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return seconds < 60 ? `${seconds} s left` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
}
