import type { MaybePromise } from '../connection.ts'
import { endStepOrder } from '../engine.ts'
import type { EndQueries, EndStep } from '../engine.ts'

/** The items that the changes of a group leave for its end. */
export interface GroupEnd {
  add<Item>(step: EndStep<Item>, item: Item): void
  /**
   * Sends the statements of the steps that have items, after the last change and before the commit.
   * @returns when all are sent, with a promise that resolves when they were executed
   */
  send(at: EndQueries): Promise<{ executed: Promise<unknown> }>
}

/** Waits until all have ended. @throws the error of the first one in the list that failed */
export async function allSettled(work: MaybePromise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

export function openGroupEnd(): GroupEnd {
  const added = new Map<string, { step: EndStep<never>, items: unknown[] }>()
  return {
    add(step, item) {
      const known = added.get(step.name)
      if (known) known.items.push(item)
      else added.set(step.name, { step, items: [item] })
    },
    async send(at) {
      if (added.size === 0) return { executed: Promise.resolve() }
      const sent: MaybePromise<unknown>[] = [at.engine.locks.lockEnd(at)]
      for (const name of endStepOrder) {
        const { step, items } = added.get(name) ?? {}
        if (!step) continue
        sent.push(step.write(at, items as never[]))
        if (step.reads) await allSettled(sent)
      }
      return { executed: allSettled(sent) }
    },
  }
}
