export const secondMs = 1_000
export const minuteMs = 60 * secondMs

/** Delays before the attempts of a job that is expected to succeed soon. */
export const soonMs = [secondMs, 5 * secondMs, 30 * secondMs, 5 * minuteMs]
