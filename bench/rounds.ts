/** Rounds in turn, because a machine is not equally fast all the time; one more warms up and does not count. */
export const rounds = Number(process.argv[2] ?? 5)

/**
 * Measures two ways of doing something that many times, and prints how many a second, and the ratio.
 * @param rest what the first leaves to be done afterwards, which must not slow the second down
 */
export async function compare(
  name: string, count: number, ours: () => Promise<void>, theirs: () => Promise<void>, baseline: string, rest = async () => {},
): Promise<void> {
  const rates: [number, number][] = []
  for (let round = 0; round <= rounds; round++) {
    const our = await rate(count, ours)
    await rest()
    rates.push([our, await rate(count, theirs)])
  }
  const [our, their] = [0, 1].map((side) => median(rates.slice(1).map((pair) => pair[side]!)))
  const ratios = rates.slice(1).map(([a, b]) => a / b).sort((a, b) => a - b)
  console.log(`  ${name.padEnd(26)} ${our!.toFixed(0).padStart(6)}   ${median(ratios).toFixed(2)} of ${their!.toFixed(0)} (${baseline}), ` +
    `${rounds} rounds from ${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`)
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Milliseconds of processor time of this process since then, which depends less on other processes than the time of a clock. */
export function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function rate(count: number, work: () => Promise<void>) {
  const start = performance.now()
  await work()
  return count / ((performance.now() - start) / 1000)
}

/** Does something that many times, so many at once. */
export async function inParallel(width: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  await Promise.all(Array.from({ length: width }, async () => {
    while (left-- > 0) await work()
  }))
}
