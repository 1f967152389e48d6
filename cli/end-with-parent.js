/** The delay within which this process notices that its parent has ended. */
const checkMs = 200

/** Sends SIGTERM to this process when the process `parent` is its parent no longer: that one has ended, or was killed. */
export function endWithParent(parent) {
  if (process.platform === 'win32') return // a parent's id does not change there
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, checkMs)
  timer.unref()
}

/**
 * Whether a shell of npm waits for this command: `npm start`, `npx mayfly`. npm passes SIGTERM to its shell alone, which ends without the
 * command. A script with `&` may leave the command behind on purpose (docs/decisions/0023).
 */
export function isAwaitedByNpm() {
  const script = process.env.npm_lifecycle_script ?? ''
  return script.includes('mayfly') && !/(?<!&)&(?!&)/.test(script)
}
