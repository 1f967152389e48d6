import { oneLine } from '../output.ts'

/**
 * Shows on stderr that the command waits, and for how long, where stderr is a terminal.
 * @param until the end of the wait, a value of `performance.now()`
 */
export async function spinWhile<T>(text: string, work: Promise<T>, until: number): Promise<T> {
  if (!process.stderr.isTTY) return work
  work.catch(() => {}) // awaited below
  const { default: yoctoSpinner } = await import('yocto-spinner')
  const shown = () => `${oneLine(text)}  ${timeLeft(until - performance.now())}`
  const spinner = yoctoSpinner({ text: shown(), stream: process.stderr, handleSignals: false }).start()
  const timer = setInterval(() => { spinner.text = shown() }, 500)
  try {
    return await work
  } finally {
    clearInterval(timer)
    spinner.stop()
  }
}

/** As `28 s left`, or `1:05 left`. */
function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return seconds < 60 ? `${seconds} s left` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
}
