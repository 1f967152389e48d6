/** Loaded before a node: its machine has a wrong clock. */
const { now } = Date
const skewMs = Number(process.env.TEST_CLOCK_SKEW_MS)
Date.now = () => now() + skewMs
