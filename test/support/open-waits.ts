import type { TestApp } from './app.ts'

/** The number of open waits and streams. With `expected`, resolves once it is that number. */
export async function openWaits({ app }: TestApp, expected?: number): Promise<number> {
  for (;;) {
    const count = app.feed.followers()
    if (expected === undefined || count === expected) return count
    await new Promise(setImmediate)
  }
}
