import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'

/** Traffic of accounts of other cells. */
const kinds = ['request', 'mail'] as const

/** Counts what a node passes on to other cells. */
export class CellCounters {
  readonly #passedOn: Counter
  readonly #failures: Counter

  constructor(registers: Registry[]) {
    this.#passedOn = new Counter({
      name: 'mayfly_cells_passed_on_total', help: 'Requests and mails that were passed on to other cells.', labelNames: ['kind'], registers,
    })
    this.#failures = new Counter({ name: 'mayfly_cells_lookup_failures_total', help: 'Lookups that another cell did not answer.', registers })
    for (const kind of kinds) this.#passedOn.inc({ kind }, 0)
  }

  passedOn(kind: typeof kinds[number]): void {
    this.#passedOn.inc({ kind })
  }

  lookupFailed(): void {
    this.#failures.inc()
  }
}
