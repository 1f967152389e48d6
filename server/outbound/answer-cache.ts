/** What a question drew. One that is not final is told to those who wait for it and then forgotten. */
type Reply = { isFinal: boolean } & ({ records: unknown[] } | { code: string })

export interface AnswerCache {
  /** The reply that is kept or under way; else what `ask` comes to. */
  get(key: string, ask: () => Promise<Reply>): Promise<Reply>
}

/** Characters; a stranger chooses the answers, so a long one is not kept. */
const longestKept = 4096

/**
 * Keeps replies for a time and up to a number.
 * @param limits.keep milliseconds
 * @param limits.size replies, of which the oldest goes first
 */
export function openAnswerCache({ keep, size }: { keep: number, size: number }): AnswerCache {
  const kept = new Map<string, { reply: Reply, until: number }>()
  const underWay = new Map<string, Promise<Reply>>()

  const fetch = async (key: string, ask: () => Promise<Reply>) => {
    const reply = await ask().finally(() => underWay.delete(key))
    if (!reply.isFinal || JSON.stringify(reply).length > longestKept) return reply
    kept.set(key, { reply, until: performance.now() + keep })
    for (const oldest of kept.keys()) {
      if (kept.size <= size) break
      kept.delete(oldest)
    }
    return reply
  }

  return {
    async get(key, ask) {
      const found = kept.get(key)
      if (found && found.until > performance.now()) return found.reply
      kept.delete(key)
      const waiting = underWay.get(key) ?? fetch(key, ask)
      if (!underWay.has(key)) underWay.set(key, waiting)
      return await waiting
    },
  }
}
