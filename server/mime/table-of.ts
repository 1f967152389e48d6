/** A table in which words of mail are looked up. It has no prototype, so `constructor` is no member. */
export const tableOf = <T>(members: Record<string, T>): Record<string, T> =>
  Object.assign(Object.create(null) as Record<string, T>, members)
