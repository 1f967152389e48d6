/** Run once, after the test file that has added them. */
export const cleanups = new Set<() => Promise<void>>()
