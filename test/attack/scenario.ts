import type { Database } from '../../server/store/database.ts'

export interface Account {
  id: string
  key: string
  testKey: string
  /** An active address of the account. */
  addressId: string
  address: string
}

/** A running server, and the two accounts that use it. */
export interface Target {
  url: string
  httpPort: number
  smtpPort: number
  /** The account that attacks, or that makes the load. */
  busy: Account
  /** The account whose requests and mails are measured. */
  other: Account
  /** Ids that `prepare` has made. */
  facts: Record<string, string>
}

/** Fills the database before the server starts. @returns facts for the attackers */
export type Prepare = (db: Database, file: string, busy: Account) => Promise<Record<string, string>>

/** Counts an outcome of the attackers: a status, or the code of an error. */
export type Note = (outcome: string, count?: number) => void

/** The result of a check of one scenario, beyond the common limits. */
export interface Finding {
  says: string
  isMet: boolean
}

export interface Scenario {
  name: string
  /** A description for the table. */
  says: string
  /** Environment variables of the server that differ from the defaults. */
  variables?: Record<string, string>
  prepare?: Prepare
  /** Runs in the attackers' process until that is ended. */
  attack(target: Target, note: Note): Promise<void>
  /** The measured account opens a new connection for each request. */
  isConnectingAnew?: boolean
  /** Checked during the attack. */
  during?(target: Target): Promise<Finding>
  /** Checked after the attackers have stopped. */
  after?(target: Target): Promise<Finding>
}
