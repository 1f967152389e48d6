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

/** Counts what attackers get: a status, or the code of an error. */
export type Note = (outcome: string, count?: number) => void

/** What a scenario demands beyond the common bars. */
export interface Finding {
  says: string
  isMet: boolean
}

export interface Scenario {
  name: string
  /** One sentence for the table. */
  says: string
  /** Variables of the server that differ from what a user has. */
  variables?: Record<string, string>
  prepare?: Prepare
  /** Runs in the attackers' process until that is ended. */
  attack(target: Target, note: Note): Promise<void>
  /** The measured account opens a connection for each request, in place of kept ones. */
  isConnectingAnew?: boolean
  /** Looked at while the attack goes on. */
  during?(target: Target): Promise<Finding>
  /** Looked at when the attackers are gone. */
  after?(target: Target): Promise<Finding>
}
