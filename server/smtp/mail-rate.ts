import { usageRate } from '../usage-rate.ts'

/** Milliseconds after which a network that sends no mail does not count as a sender any more. */
const activeMs = 1_000

/**
 * Limits the bytes of mail per second and network while several networks send mail: mail that arrives faster occupies processor and
 * disk, and delays that of the others. A network that sends alone has no limit.
 * @returns the milliseconds to wait before bytes of a network are read
 */
export function mailRate(bytesPerSecond: number, now = () => performance.now()): (network: string, bytes: number) => number {
  const rate = usageRate(bytesPerSecond, now)
  let latest: string | undefined
  let changedAt = -Infinity
  return (network, bytes) => {
    if (latest !== undefined && network !== latest) changedAt = now()
    latest = network
    if (now() - changedAt > activeMs) return 0
    const waitMs = rate.waitMs(network)
    rate.record(network, bytes)
    return waitMs
  }
}
