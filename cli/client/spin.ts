import { oneLine } from '../output.ts'

/** Shows on stderr that the command waits, where stderr is a terminal. */
export async function spinWhile<T>(text: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work
  work.catch(() => {}) // awaited below
  const { default: yoctoSpinner } = await import('yocto-spinner')
  const spinner = yoctoSpinner({ text: oneLine(text), stream: process.stderr, handleSignals: false }).start()
  try {
    return await work
  } finally {
    spinner.stop()
  }
}
