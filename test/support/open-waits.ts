import type { TestApp } from './app.ts'

/** How many requests wait for events; resolves once it is the number that is given. */
export async function openWaits({ app }: TestApp, expected?: number): Promise<number> {
  for (;;) {
    const count = app.feed.followers()
    if (expected === undefined || count === expected) return count
    await new Promise(setImmediate)
  }
}
