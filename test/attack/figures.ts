/** Percentiles in milliseconds. */
export interface Figures {
  count: number
  p50: number
  p99: number
  max: number
}

export function figuresOf(times: number[]): Figures {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? NaN
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Counts by name. */
export type Counts = Record<string, number>

export const add = (counts: Counts, name: string, count = 1): void => { counts[name] = (counts[name] ?? 0) + count }

export const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** The most frequent first. */
export const showCounts = (counts: Counts): string =>
  Object.entries(counts).sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ×${count}`).join(', ') || 'none'

/** The name under which an error is counted. */
export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? String(error)
