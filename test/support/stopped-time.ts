/**
 * Stops the time that durations are measured with (`performance.now`), so that no limit of milliseconds ends what a slow machine does.
 * @returns with a function that lets time pass; it goes on when this is disposed of
 */
export function stopTime(): Disposable & { pass(milliseconds: number): void } {
  const { now } = performance
  let time = performance.now()
  performance.now = () => time
  return {
    pass(milliseconds) { time += milliseconds },
    [Symbol.dispose]() { performance.now = now },
  }
}
