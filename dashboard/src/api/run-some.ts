/** Requests that a change of several objects has under way at once. */
const maxAtOnce = 4

/** Runs `task` for each item, a few at a time. @returns the items whose task failed, with their errors */
export async function runSome<Item>(items: Item[], task: (item: Item) => Promise<unknown>): Promise<{ item: Item, error: unknown }[]> {
  const failed: { item: Item, error: unknown }[] = []
  const rest = items.values()
  const work = async () => {
    for (const item of rest) await task(item).catch((error: unknown) => { failed.push({ item, error }) })
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work))
  return failed
}
