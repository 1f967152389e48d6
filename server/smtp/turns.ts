/** Shares each turn of the event loop between sessions, so that a flood of commands leaves time for HTTP and other mail. */
export interface Turns {
  /**
   * Runs work now, or in a later turn when this one has no room left. Work that waits runs in the order in which it came, so
   * sessions that each have one piece of work here at a time take turns.
   * @param cost 1 for a command
   */
  take(cost: number, work: () => void): void
}

/** @param costPerTurn what the work of one turn may cost in all; the last piece may exceed it */
export function shareTurns(costPerTurn: number): Turns {
  const waiting: { cost: number, work: () => void }[] = []
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
    while (spent < costPerTurn && waiting.length > 0) {
      const { cost, work } = waiting.shift()!
      run(cost, work)
    }
  }

  return {
    take(cost, work) {
      if (spent < costPerTurn && waiting.length === 0) run(cost, work)
      else waiting.push({ cost, work })
    },
  }
}
