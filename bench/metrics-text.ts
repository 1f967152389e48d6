/** An answer of `/metrics`. */
export interface MetricsText {
  /** The series of a name. */
  values(name: string): { labels: Record<string, string>, value: number }[]
  sum(name: string): number
}

export function readMetrics(text: string): MetricsText {
  const values: MetricsText['values'] = (name) => [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => ({
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!])), value: Number(value),
  }))
  return { values, sum: (name) => values(name).reduce((sum, { value }) => sum + value, 0) }
}

/** The 99th percentile of a histogram between two answers: up to how many milliseconds, by its buckets; empty without a value. */
export function slowest(before: MetricsText, after: MetricsText, name: string, labels: Record<string, string>): string {
  const bucketsOf = (text: MetricsText) => new Map(text.values(`${name}_bucket`)
    .filter((series) => Object.entries(labels).every(([label, value]) => series.labels[label] === value))
    .map(({ labels: { le }, value }) => [le!, value]))
  const earlier = bucketsOf(before)
  const grown = [...bucketsOf(after)].map(([le, value]) => ({ le, count: value - (earlier.get(le) ?? 0) }))
  const total = grown.at(-1)?.count ?? 0
  const found = grown.find(({ count }) => count >= 0.99 * total)
  if (!found || total === 0) return ''
  return found.le === '+Inf' ? 'more' : `≤${Number(found.le) * 1_000}`
}
