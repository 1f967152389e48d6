import { openRotation } from '../rotation.ts'

/** Limits the work of SMTP sessions per turn of the event loop, so that a flood of commands leaves time for HTTP and other mail. */
export interface TurnBudget {
  /**
   * Runs work now, or in a later turn when this one is used up. Waiting clients are served in rotation, regardless of how many
   * sessions each has; the work of one client runs in the order of its arrival.
   * @param client by `clientNetwork`
   * @param cost in commands
   */
  run(client: string, cost: number, work: () => void): void
}

/** @param maxCostPerTurn maximum cost of the work per turn, in commands; the last piece may exceed it */
export function openTurnBudget(maxCostPerTurn: number): TurnBudget {
  const waiting = openRotation<{ cost: number, work: () => void }>()
  let spent = 0
  let isScheduled = false

  function runNow(cost: number, work: () => void) {
    spent += cost
    if (!isScheduled) {
      isScheduled = true
      setImmediate(nextTurn)
    }
    work()
  }

  function nextTurn() {
    isScheduled = false
    spent = 0
    while (spent < maxCostPerTurn && waiting.size > 0) {
      const { cost, work } = waiting.shift()!
      runNow(cost, work)
    }
  }

  return {
    run(client, cost, work) {
      if (spent < maxCostPerTurn && waiting.size === 0) runNow(cost, work)
      else waiting.push(client, { cost, work })
    },
  }
}
