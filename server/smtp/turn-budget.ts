import { FairDispatcher } from '../turns/fair-queue.ts'

interface Work {
  /** In commands. */
  cost: number
  start(): void
}

/**
 * Limits the work of SMTP sessions per turn of the event loop, so that a flood of commands leaves time for HTTP and other mail. Waiting
 * clients are served in rotation, regardless of how many sessions each has; the work of one client runs in the order of its arrival.
 */
export class TurnBudget {
  /** Cost of the work of this turn of the event loop. */
  #spent = 0
  readonly #waiting: FairDispatcher<Work>

  /** @param maxCostPerTurn maximum cost of the work per turn, in commands; the last piece may exceed it */
  constructor(maxCostPerTurn: number) {
    this.#waiting = new FairDispatcher({ start: (work) => this.#start(work), isFull: () => this.#spent >= maxCostPerTurn })
  }

  /**
   * Runs work now, or in a later turn when this one is used up.
   * @param client by `clientNetwork`
   * @param cost in commands
   */
  run(client: string, cost: number, start: () => void): void {
    this.#waiting.push(client, { cost, start })
  }

  #start({ cost, start }: Work) {
    if (this.#spent === 0) setImmediate(() => this.#beginTurn())
    this.#spent += cost
    start()
  }

  #beginTurn() {
    this.#spent = 0
    this.#waiting.startNext()
  }
}
