import { countArgument } from './count-argument.ts'

/** The number among the arguments of a benchmark. */
export const rounds = countArgument(5)

/**
 * Measures several ways in turn, since the speed of a machine varies. One more round, the first, warms up and does not count.
 * @returns the figures of each way, one a round
 */
export async function measureInTurn(ways: (() => Promise<number>)[]): Promise<number[][]> {
  const figures = ways.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, measure] of ways.entries()) {
      const figure = await measure()
      if (round > 0) figures[index]!.push(figure)
    }
  }
  return figures
}

/** The ratios of two ways, round by round: `1.09, from 1.05 to 1.12`. */
export function describeRatios(some: number[], others: number[], digits: number): string {
  const ratios = some.map((figure, round) => figure / others[round]!).sort((a, b) => a - b)
  return `${median(ratios).toFixed(digits)}, from ${ratios[0]!.toFixed(digits)} to ${ratios.at(-1)!.toFixed(digits)}`
}

/**
 * Prints the rates of two ways, per second, and their ratio.
 * @param rest waits for the background work of the first way, so that it does not slow down the second
 */
export async function compare(
  name: string, count: number, ours: () => Promise<void>, theirs: () => Promise<void>, baseline: string, rest = async () => {},
): Promise<void> {
  const [our, their] = await measureInTurn([
    async () => {
      const figure = await rate(count, ours)
      await rest()
      return figure
    },
    () => rate(count, theirs),
  ]) as [number[], number[]]
  console.log(`  ${name.padEnd(26)} ${median(our).toFixed(0).padStart(6)}, ${median(their).toFixed(0)} of ${baseline}; ` +
    `ratio ${describeRatios(our, their, 2)} in ${rounds} rounds`)
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Milliseconds of processor time of this process since a measurement. Other processes change it less than wall-clock time. */
export function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function rate(count: number, work: () => Promise<void>) {
  const start = performance.now()
  await work()
  return count / ((performance.now() - start) / 1000)
}

/** Calls `work` `count` times, `width` calls at once. */
export async function inParallel(width: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  await Promise.all(Array.from({ length: width }, async () => {
    while (left-- > 0) await work()
  }))
}
