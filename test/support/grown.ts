/** Waits until a set has this many members more, or the time is over. */
export async function hasGrown(set: ReadonlySet<unknown>, by: number, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs
  const size = set.size + by
  while (set.size < size && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5))
}
