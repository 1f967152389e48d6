import { insertMovedEvents, movedRange, raiseNumbers, readEventsOf, removeMovedEvents } from '../events/moved-events.ts'
import { lastSeq } from '../events/outbox.ts'
import { verificationRecipients } from './account-checks.ts'
import { copyJobs } from './account-jobs.ts'
import { copyMail, readIds } from './account-mail.ts'
import { copyRows } from './account-rows.ts'
import type { Sides } from './account-rows.ts'
import { accountTables, scopeSql } from './account-tables.ts'
import type { AccountTable, Scope } from './account-tables.ts'
import { findTables } from './move.ts'
import type { MovedTable } from './sides.ts'

export interface AccountCopyOptions {
  signal: AbortSignal
  /** Gets the messages that are copied, of those that were missing. */
  onMessages?: ((copied: number, total: number) => void) | undefined
  /** The names of the counters of an account, as they are stored. */
  counterNamesOf(accountId: string, verified: { recipient: string, mode: 'live' | 'test' }[]): string[]
}

/** Rounds before the hold, and the number of emails that differed in a round after which there is no other. */
const [maxRounds, fewEmails] = [5, 500]
/** Rounds during the hold: the first copies, the last finds no difference. */
const maxHeldRounds = 5
/** Events of one transaction. */
const maxEvents = 1_000
/**
 * How far the numbers of copied events are above the last one of the source, which gives further ones during the move: `raised` where the
 * target's numbers are raised, `first` at least at the first copy, `min` at least until the events are copied again.
 */
const numbersAbove = { raised: 1_000_000, first: 500_000, min: 100_000 }

/** Copies the rows of an account, each time those that differ. The account is at the target, without effect. */
export class AccountCopy {
  readonly #sides: Sides
  readonly #accountId: string
  readonly #options: AccountCopyOptions
  readonly #tables: Map<string, MovedTable>
  readonly #copied = new Set<string>()

  private constructor(sides: Sides, accountId: string, options: AccountCopyOptions, tables: MovedTable[]) {
    this.#sides = sides
    this.#accountId = accountId
    this.#options = options
    this.#tables = new Map(tables.map((table) => [table.name, table]))
  }

  static async open(sides: Sides, accountId: string, options: AccountCopyOptions): Promise<AccountCopy> {
    return new AccountCopy(sides, accountId, options, await findTables(sides.target))
  }

  /** Copies mail, events and long tables while the account works, until few of them are left. */
  async copyMost(): Promise<void> {
    for (let round = 0; round < maxRounds; round++) {
      const differed = await this.#copyMail()
      for (const [name, table] of Object.entries<AccountTable>(accountTables)) if (table.isLarge) await this.#copyTable(name, table)
      await this.#copyEvents()
      if (differed < fewEmails) return
    }
  }

  /** Copies all rows of the account, which is held, until the target has the same. */
  async copyAll(): Promise<void> {
    for (let round = 0; round < maxHeldRounds; round++) {
      let differed = await this.#copyMail()
      for (const [name, table] of Object.entries<AccountTable>(accountTables)) differed += await this.#copyTable(name, table)
      if (differed > 0) continue
      await this.#copyEvents()
      await copyJobs(this.#sides, this.#accountId)
      return
    }
    throw new Error('The rows of the account change while it is held. Run the command again.')
  }

  #copyMail(): Promise<number> {
    const { signal, onMessages = () => {} } = this.#options
    const table = (name: string) => this.#table(name)
    return copyMail(this.#sides, { accountId: this.#accountId, table, copied: this.#copied, signal, onMessages })
  }

  async #copyTable(name: string, { scope, by, isConstant }: AccountTable): Promise<number> {
    const ids = await this.#idsOf(scope)
    return ids.length > 0 ? copyRows(this.#sides, this.#table(name), { by, ids, isConstant, signal: this.#options.signal }) : 0
  }

  #table(name: string): MovedTable {
    return this.#tables.get(name)!
  }

  /** Those of both databases: the target may have rows that the source has no more. */
  async #idsOf(scope: Scope): Promise<string[]> {
    const { source, target } = this.#sides
    if (scope === 'account') return [this.#accountId]
    if (scope === 'limits') return this.#options.counterNamesOf(this.#accountId, await verificationRecipients(source, this.#accountId))
    const ids = await Promise.all([source, target].map((db) => readIds(db, `select id from (${scopeSql[scope]}) as scope (id)`, this.#accountId)))
    return [...new Set(ids.flat())]
  }

  /** Copies the events that the target does not have, with numbers above all that the account has given. */
  async #copyEvents(): Promise<void> {
    const { source, target } = this.#sides
    const last = await lastSeq(source)
    let range = await movedRange(target, this.#accountId)
    if (range && range.first < last + numbersAbove.min) {
      await target.commit((tx) => removeMovedEvents(tx, this.#accountId))
      range = undefined
    }
    if (!range && await lastSeq(target) < last + numbersAbove.first) {
      await target.commit((tx) => raiseNumbers(tx, last + numbersAbove.raised))
    }
    for (let after = range?.lastFormer ?? 0; ;) {
      this.#options.signal.throwIfAborted()
      const events = await readEventsOf(source, this.#accountId, after, maxEvents)
      if (events.length === 0) return
      await target.commit((tx) => insertMovedEvents(tx, events))
      after = events.at(-1)!.seq
    }
  }
}
