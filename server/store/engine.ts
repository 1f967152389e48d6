import type { HeldAddress } from './addresses/held-addresses.ts'
import type { Connection, MaybePromise, Queries } from './connection.ts'
import type { Position } from './page.ts'
import type { Tenant } from './schema/values.ts'
import type { SharedDatabase } from './shared-database.ts'
import type { SourceStore } from './sources/source-store.ts'

/** All that differs by engine: connections, settings, SQL, and the meaning of errors. `engines/` has one folder for each. */
export interface Engine extends Ddl {
  /** Read-only: sees committed data, and never waits for a transaction. */
  reader: Connection
  /** Read-only transactions, each with one snapshot. */
  snapshots: Connection
  /** One transaction at a time. */
  writer: Connection
  /**
   * Whether statements can be pipelined: sent without waiting for the answers to earlier ones. They are executed in the order in which they
   * were sent. After one has failed, the later ones fail too, and the commit rolls back.
   */
  pipelines: boolean
  /**
   * Whether the first rows of `union all` are read in the order of the indexes of its parts. Otherwise all rows of the parts are sorted,
   * except those of a part with its own limit.
   */
  mergesUnions: boolean
  locks: Locks
  /** The full-text index of emails. */
  search: SearchIndex
  /** Null when a server of its own keeps the data, for several processes. */
  file: DatabaseFile | null
  /** For the processes that share a database; null where one process has it. */
  shared: SharedDatabase | null
  /** Where a job moves the sources of mail; null where they stay in the database. */
  sources: SourceStore | null
  /** Disk space that is reserved for removals. */
  reserve: DiskReserve
  /** Runs work whose queries are those of an account: no account uses all connections of an engine that has few. */
  runForAccount<Args extends unknown[], T>(accountId: string, work: (...args: Args) => T, ...args: Args): T
  toAppError(error: unknown): unknown
  /** Whether the error can come from a full disk. */
  isFull(error: unknown): boolean
  /**
   * The delay before a transaction that failed may run again: another one was first, or the connection was lost before the commit.
   * @returns undefined when it must not
   */
  retryAfterMs(error: unknown): number | undefined
  /** Closes all connections; Kysely would close only those that it has used. */
  close(): MaybePromise<unknown>
}

/** A database in a file of this machine, which one process serves. */
export interface DatabaseFile {
  /** The folder of the file, for the free space of its disk. */
  folder: string
  /**
   * Makes this process the only server of the database, until it closes or dies: claims of jobs that are found then belong to a process
   * that died.
   * @throws Error when another process is
   */
  claim(): void
  bytes(): { data: number, log: number }
  /** Bytes of free pages, less those by which the file will still grow at the next checkpoint. */
  freeBytes(): number
  /** Free pages beyond those that are kept for new mail; 0 where the file cannot shrink. */
  excessPages(): number
  /** Gives free pages at the end of the file back to the file system, in the running transaction. */
  shrink(pages: number): void
  /**
   * True while the log is large or the disk low, but once a commit at most: after that it is true again with the next commit, or after ten
   * calls without one.
   */
  takeCheckpointTurn(): boolean
  /** Moves committed pages from the write-ahead log to the database file. Without a commit since the last call, empties the log's file. */
  checkpoint(): void
  /**
   * Records in the database file that its newest data are in its log, so that a copy without the log is recognized. `claim` does so too.
   * Does nothing once it is recorded, and where the disk is full or another process reads: to be called again later.
   */
  expectLog(): void
}

/** Tables of which rows are locked by their id. */
export type LockableRow = 'accounts' | 'addresses' | 'deliveries' | 'domains' | 'forwarding_addresses' | 'webhooks'

/** Whether a row may have changed between the read of a transaction and its lock. */
export type LockedRow = 'unchanged' | 'may have changed'

/**
 * Locks for changes that read a value, and write by it: other nodes may change it in between. Each lasts until the commit, and what the
 * transaction reads after it is as the transactions before have left it. An engine with one writer at a time needs none.
 */
export interface Locks {
  /**
   * Called before the counters and events of a group are written, which its commit follows: while one transaction has this lock, no other
   * one takes a number of the outbox, so the numbers are the order of the commits.
   */
  lockEnd(at: Queries): MaybePromise<void>
  /** One transaction at a time has the lock of a name: for limits of rows, and for names that no row has yet. */
  lockName(at: Queries, name: string): MaybePromise<void>
  /** One transaction at a time has the lock of a row or changes it, and none keeps it. */
  lockRow(at: Queries, table: LockableRow, id: string): MaybePromise<void>
  /**
   * Locks a row against changes; an address with its account. Many transactions may have this lock.
   * @returns whether the row has to be read again
   */
  lockRowForShare(at: Queries, table: LockableRow, id: string): MaybePromise<LockedRow>
}

/** SQL of the schema that differs by engine. */
export interface Ddl {
  /** Keeps the rows of a table in the order of its primary key. */
  clustered: string
  /** A primary key that numbers the rows and never reuses a number. */
  serial: string
  /** The day in UTC, YYYY-MM-DD, of a column of milliseconds since 1970. */
  dayOf(column: string): string
  /** A trigger that makes a statement fail. @param trigger.before the statement, such as `delete on audit_logs` */
  refusal(trigger: { name: string, before: string, when?: string, message: string }): string
  dropRefusal(trigger: { name: string, table: string }): string
  /** Triggers that run a statement after each insert, update and delete in a table, in the same transaction. */
  afterChange(table: string, statement: string): string[]
  /** A statement of a migration in the words of the engine. */
  statement(sql: string): string
}

/**
 * The full-text index of an engine, for mails by their terms. Terms, the numbers of owners, and the queue of waiting mails are
 * the same in every engine: `search/`.
 */
export interface SearchIndex {
  /** Creates the index and its triggers: new or moved emails are queued for indexing, deleted emails are removed from it. */
  createSql: string[]
  /** Changes the index that `createSql` has made: mails are found by their ids, and have no number. Empty where they keep it. */
  keyByIdSql: string[]
  /** Adds bitmaps of frequent terms to the index, which later versions do not use. Empty where `createSql` has made them. */
  createBitmapsSql: string[]
  /** Removes the bitmaps, and makes the index of SQLite anew, by the numbers of mails. */
  numberByCommitSql: string[]
  /** The locks of the transactions that index; null where one transaction runs at a time. */
  locks: SearchLocks | null
  /** Adds mails that are not in the index. */
  add(tx: Tx, mails: IndexedMail[]): Promise<void>
  /** Finds mails in the snapshot of `at`. */
  find(at: Queries, search: TermSearch, page: FoundPage): Promise<FoundIds>
  /**
   * Removes some of the data that an owner has in the index beside mail.
   * @param limit maximum rows @returns whether there were any: more may be left
   */
  removeDataOf(tx: Tx, ownerNumber: number, limit: number): Promise<boolean>
}

/** Locks until the end of a transaction. */
export interface SearchLocks {
  /** No other transaction adds mails of these owners. */
  lockOwners(tx: Tx, owners: Tenant[]): Promise<void>
  /** The mails are neither moved nor removed. */
  lockMailsForShare(tx: Tx, emailIds: string[]): Promise<void>
}

/** A mail with its terms, as it is added to the index. */
export interface IndexedMail {
  owner: Tenant
  /** Terms are found by their owner's number, so a search never reads those of another owner. */
  ownerNumber: number
  isDeleted: boolean
  id: string
  /** In the order of the commits. */
  number: number
  addressId: string
  terms: string[]
}

/** Finds mails of an owner that have all terms, which include those of filters: all of its mails without one. */
export interface TermSearch extends Tenant {
  ownerNumber: number
  terms: string[]
  /** Mails that have all terms of one of these lists are left out. */
  excluded: string[][]
  /** Ids are greater than this text. */
  from?: string
  /** Ids are less than this text. */
  until?: string
  isDeleted: boolean
  /** Undefined for all. */
  after: Position | undefined
}

export interface FoundPage {
  /** An id; only mail that arrived earlier. Absent for the newest mails. */
  before?: string
  limit: number
  offset: number
  /** Whether there is to be a total, else 0. */
  isCounted: boolean
}

export interface FoundIds {
  /** Newest first, up to `limit` + 1, which tells whether there are more. */
  ids: string[]
  /** Mails of all pages, `maxCounted` at most. */
  total: number
}

/** A file beside the database that is removed when the disk is full, so that mail can be deleted then. */
export interface DiskReserve {
  /** Whether only the reserved space is left. */
  isLow(): boolean
  /** Deletes the reserve file. @returns false when there was none */
  release(): boolean
  /** Writes the reserve file again when it is missing and there is room. */
  refill(): Promise<void>
}

/** The state of a database that is not opened. */
export type EngineInspection =
  /** No file yet; `folder` is what exists of its path. */
  | { kind: 'none', folder: string }
  | { kind: 'unusable', folder: string, reason: string }
  /** Only a part of a database, such as a copy without its log, or a database whose lock is damaged. */
  | { kind: 'incomplete', folder: string, reason: string, wayOut: string }
  | {
    kind: 'usable'
    folder: string
    isServed: boolean
    /** The process of the server, where the system tells it. */
    servedBy: number | undefined
    /** The mode of the file, in octal digits, when every user of this machine can read it. */
    openMode: string | null
    freeBytes: number
    /** Names of the migrations that it has. */
    applied: string[]
    /** The verified domains of all accounts, each with the token of its TXT record. */
    domains: { domain: string, token: string }[]
    /** The active addresses that have names which were asked for. */
    held: HeldAddress[]
  }

/** A connection that reads committed rows, and a function that changes rows in a transaction. */
export interface Transactions extends Queries {
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A running transaction; everything in it has the same `now`. */
export interface Tx extends Queries {
  engine: Engine
  now: number
  newId(): string
  /** Emits a topic to the listeners of `commits` after the commit; never after a rollback. */
  announce(topic: string): void
  /**
   * Leaves an item to a step at the end of the group of changes that share the commit: for rows that many changes write, and for events,
   * whose numbers are the order of the commits. Until then no change of the group reads it. A change that fails leaves none.
   */
  atEnd<Item>(step: EndStep<Item>, item: Item): void
}

/**
 * The steps in the order in which they run. The rows of counters are locked in this order by every node, and the events are inserted last,
 * so that other transactions wait for their numbers as short as possible.
 */
export const endStepOrder = ['email_counts', 'removed email_counts', 'daily_counts', 'account_bytes', 'totals', 'outbox'] as const

/** Writes rows that many changes need, once for all changes that share a commit. */
export interface EndStep<Item> {
  name: (typeof endStepOrder)[number]
  /** Whether it queries rows before it writes. If so, the next step starts when it has ended; otherwise the next step starts at once. */
  reads?: boolean
  /** @param items of all changes of the group, in their order */
  write(at: EndQueries, items: Item[]): Promise<unknown>
}

export interface EndQueries extends Queries {
  engine: Engine
}
