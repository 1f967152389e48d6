import os from 'node:os'

/** Those who answer HTTP and SMTP go first. @param niceness 5 gets a third of what they get, 10 a tenth */
export function lowerPriority(niceness: number): void {
  // On Linux, 0 means the calling thread, not the process.
  if (process.platform !== 'linux') return
  try {
    os.setPriority(0, niceness)
  } catch {
    // some containers forbid it, and the work is done all the same
  }
}
