/** It is not known whether a transaction was committed: it must not run again. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
