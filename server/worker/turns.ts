import PQueue from 'p-queue'
import type { Task } from './task.ts'

type Run = () => Promise<void>

/** Runs a job of a lane when there is room for it. */
export type Turns = (lane: string, run: Run) => Promise<void>

/**
 * Bounds the jobs of a task that run at once: all of them, those for one destination, and those of one account, so that
 * an account whose destinations all hang leaves room for the others.
 */
export function openTurns({ concurrency, inAllLanes = concurrency, ofOneAccount }: Task<never>): Turns {
  const all = new PQueue({ concurrency: inAllLanes })
  if (ofOneAccount === undefined) return (_lane, run) => all.add(run)
  const inAccount = turnsByName(ofOneAccount)
  const inDestination = turnsByName(concurrency)
  // in this order, what waits for its account takes no room of anybody else
  return (lane, run) => {
    const [account, destination = account] = lane.split('/') as [string, string?]
    return inAccount(account, () => inDestination(destination, () => all.add(run)))
  }
}

/** A queue for each name, for as long as there is something in it. */
function turnsByName(concurrency: number): (name: string, run: Run) => Promise<void> {
  const queues = new Map<string, PQueue>()
  return (name, run) => {
    const queue = queues.get(name) ?? new PQueue({ concurrency })
    queues.set(name, queue)
    return queue.add(run).finally(() => {
      if (queue.size + queue.pending === 0) queues.delete(name)
    })
  }
}
