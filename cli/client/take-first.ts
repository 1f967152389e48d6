/** The first items of a list, and whether there are more. */
export async function takeFirst<T>(items: AsyncIterable<T>, limit: number): Promise<{ first: T[], hasMore: boolean }> {
  const first: T[] = []
  for await (const item of items) {
    if (first.length === limit) return { first, hasMore: true }
    first.push(item)
  }
  return { first, hasMore: false }
}

/** Page size for `takeFirst`: one more than its limit, at most 100. */
export const pageSize = (limit: number): number => Math.min(100, limit + 1)
