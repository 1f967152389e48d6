import type { Engine } from '../engine.ts'
import type { Queries } from './queries.ts'

/**
 * The steps in the order in which they run. The rows of counters are locked in this order by every node, and the events are inserted last,
 * so that other transactions wait for their numbers as short as possible.
 */
const order = ['arrivals', 'email_counts', 'removed email_counts', 'daily_counts', 'account_bytes', 'totals', 'outbox'] as const

/** Writes rows that many changes need, once for all changes that share a commit. */
export interface EndStep<Item> {
  name: (typeof order)[number]
  /** @param items of all changes of the group, in their order */
  write(at: EndQueries, items: Item[]): Promise<void>
}

export interface EndQueries extends Queries {
  engine: Engine
}

/** The items that the changes of a group leave for its end. */
export interface GroupEnd {
  add<Item>(step: EndStep<Item>, item: Item): void
  /** Runs the steps that have items, after the last change and before the commit. */
  write(at: EndQueries): Promise<void>
}

export function openGroupEnd(): GroupEnd {
  const added = new Map<string, { step: EndStep<never>, items: unknown[] }>()
  return {
    add(step, item) {
      const known = added.get(step.name)
      if (known) known.items.push(item)
      else added.set(step.name, { step, items: [item] })
    },
    async write(at) {
      if (added.size === 0) return
      await at.engine.locks.lockEnd(at)
      for (const name of order) {
        const { step, items } = added.get(name) ?? {}
        await step?.write(at, items as never[])
      }
    },
  }
}
