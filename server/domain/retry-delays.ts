import { hourMs, minuteMs, secondMs } from '../clock.ts'

/**
 * All delays of repeated work, in milliseconds: the first is that before the second attempt. The effect of a failed attempt stands with its
 * noun (`sending`, `webhook-deliveries`, `domain-verification`).
 */

/** Of a mail that the receiving host has deferred; the last one repeats. */
export const mailRetryDelaysMs = [
  15 * secondMs, minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs,
]

/**
 * Of the attempts for one event of a webhook. A failure after the last one disables the webhook, unless another delivery has succeeded
 * since the first attempt. The longest one is the maximum of an endpoint's `Retry-After`, too.
 */
export const webhookRetryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs]

/** Between the checks of a pending domain, 48 hours in all. Later checks need a request. */
export const domainCheckDelaysMs = [
  ...[1, 2, 3, 4, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 8, 12, 12].map((hours) => hours * hourMs),
]

/** While the store of sources is unavailable; the last one repeats. */
export const sourceRetryDelaysMs = [2 * secondMs, 5 * secondMs, 15 * secondMs, 30 * secondMs]

/** Of a job that threw an error; the last one repeats. `soon`: most jobs, of which the next attempt is expected to succeed. */
export const errorRetryDelaysMs = {
  soon: [secondMs, 5 * secondMs, 30 * secondMs, 5 * minuteMs],
  mail: [minuteMs, 5 * minuteMs],
  webhook: [5 * secondMs, minuteMs, 5 * minuteMs],
  domainCheck: [5 * secondMs, minuteMs, 5 * minuteMs],
  sweep: [minuteMs, 10 * minuteMs],
}
