import type { Clock } from '../clock.ts'

/** Measurements at the opening, and at each renewal; the one with the shortest round trip counts. */
const [firstReads, laterReads] = [5, 3]
const renewalMs = 10_000

/** The time of the server of a database, as this machine's clock has to be corrected to show it. */
interface Offset {
  ms: number
  /** The error is at most half of it. */
  roundTripMs: number
}

/**
 * Corrects the clock of this machine to that of the server: the times that nodes compare, such as those of ids, jobs and beats, come from
 * one clock. The offset is measured again while the clock is open. The corrected time may step back by the error of a measurement.
 * @param readTime reads the time of the server, in milliseconds since 1970
 */
export async function openServerClock(clock: Clock, readTime: () => Promise<number>): Promise<{ clock: Clock, close(): void }> {
  let offset = await measure(clock, readTime, firstReads)
  const renew = async () => {
    const measured = await measure(clock, readTime, laterReads)
    const isWithinError = Math.abs(measured.ms - offset.ms) <= measured.roundTripMs / 2 + 1
    if (!isWithinError || measured.roundTripMs < offset.roundTripMs) offset = measured
  }
  // a server that does not answer leaves the offset as it is: the queries of others report that
  const timer = setInterval(() => { renew().catch(() => {}) }, renewalMs).unref()
  return {
    clock: {
      isShared: true,
      now: () => clock.now() + offset.ms,
      at: (time, task) => clock.at(time - offset.ms, task),
    },
    close: () => clearInterval(timer),
  }
}

async function measure(clock: Clock, readTime: () => Promise<number>, reads: number): Promise<Offset> {
  let best: Offset | undefined
  for (let i = 0; i < reads; i++) {
    const begun = performance.now()
    const time = await readTime()
    const roundTripMs = performance.now() - begun
    // the server has read its clock in the middle of the round trip
    const measured = { ms: Math.round(time + roundTripMs / 2 - clock.now()), roundTripMs }
    if (!best || measured.roundTripMs < best.roundTripMs) best = measured
  }
  return best!
}
