import os from 'node:os'

/**
 * Gives the main thread, which answers HTTP and SMTP, precedence over the calling thread.
 * @param niceness with 5 this thread gets a third of the main thread's share of a busy CPU, with 10 a tenth
 */
export function lowerPriority(niceness: number): void {
  // On Linux, 0 means the calling thread, not the process.
  if (process.platform !== 'linux') return
  try {
    os.setPriority(0, niceness)
  } catch {
    // some containers forbid it; the thread then runs with normal priority
  }
}
