/** The milliseconds of processor time that a call takes. Unlike the time of a clock, it hardly depends on other processes. */
export function processorMs(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
