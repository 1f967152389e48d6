import { openRotation } from '../rotation.ts'

/** Shares each turn of the event loop between sessions, so that a flood of commands leaves time for HTTP and other mail. */
export interface Turns {
  /**
   * Runs work now, or in a later turn when this one has no room left. Clients whose work waits take turns, whatever number of
   * sessions each of them has; within a client, work runs in the order in which it came.
   * @param client by `networkOf`
   * @param cost 1 for a command
   */
  take(client: string, cost: number, work: () => void): void
}

/** @param costPerTurn what the work of one turn may cost in all; the last piece may exceed it */
export function shareTurns(costPerTurn: number): Turns {
  const waiting = openRotation<{ cost: number, work: () => void }>()
  let spent = 0
  let isPlanned = false

  function run(cost: number, work: () => void) {
    spent += cost
    if (!isPlanned) {
      isPlanned = true
      setImmediate(nextTurn)
    }
    work()
  }

  function nextTurn() {
    isPlanned = false
    spent = 0
    while (spent < costPerTurn && waiting.size > 0) {
      const { cost, work } = waiting.shift()!
      run(cost, work)
    }
  }

  return {
    take(client, cost, work) {
      if (spent < costPerTurn && waiting.size === 0) run(cost, work)
      else waiting.push(client, { cost, work })
    },
  }
}
