import { usageRate } from '../turns/usage-rate.ts'

/** Milliseconds after which a network that sends no mail does not count as a sender any more. */
const activeMs = 1_000
/** Milliseconds after which bytes that wait are judged again: the other networks may have ended. */
const recheckMs = 100

export interface MailRate {
  /** Reads bytes when their network may send more. Those of a closed session are read at once and not counted, so they cause no delay. */
  take(network: string, bytes: number, isClosed: () => boolean, read: () => void): void
}

/**
 * Limits the bytes of mail per second and network while several networks send mail: mail that arrives faster occupies processor and
 * disk, and delays that of the others. A network that sends alone has no limit.
 */
export function openMailRate(bytesPerSecond: number): MailRate {
  const rate = usageRate(bytesPerSecond)
  let latest: string | undefined
  let changedAt = -Infinity
  const areSeveral = () => performance.now() - changedAt <= activeMs

  function take(network: string, bytes: number, isClosed: () => boolean, read: () => void) {
    if (isClosed()) return read()
    const waitMs = areSeveral() ? rate.waitMs(network) : 0
    if (waitMs > 0) return void setTimeout(() => take(network, bytes, isClosed, read), Math.min(waitMs, recheckMs)).unref()
    if (latest !== undefined && network !== latest) changedAt = performance.now()
    latest = network
    if (areSeveral()) rate.record(network, bytes)
    read()
  }
  return { take }
}
