/** Milliseconds between two queries for commits of other nodes, whose notices may be lost. */
export const pollMs = 250

export interface AloneOptions {
  /** By default `start`: the work of one of the nodes that start at once. */
  kind?: 'start' | 'move'
  /** Called when another process does such work, before the wait for its end. */
  onWait?: (() => void) | undefined
}

/** A database of a server of its own, which several nodes use. */
export interface SharedDatabase {
  /** The time of the server, in milliseconds since 1970. */
  readTime(): Promise<number>
  /** Runs work while no other process does work of this kind. @param work gets a signal that aborts when others may begin meanwhile */
  alone<T>(work: (lost: AbortSignal) => Promise<T>, options?: AloneOptions): Promise<T>
  /**
   * Adds calls to counters, each of a name within a window of time. After a crash of the server, a counter goes on from the highest known
   * count that a caller sends; calls of the last second may be missing.
   * @returns the count of each, these calls included
   */
  addCalls(calls: WindowCalls[]): Promise<number[]>
  /** Removes the counters of windows that ended before a time in milliseconds since 1970. */
  removeCalls(endedBefore: number): Promise<void>
  /** The bytes of the mail of an account that is accepted and waits for a job. */
  waitingBytes(accountId: string): Promise<number>
  /** Has a function called for each group of changes that is committed here; it replaces the one before. */
  recordCommits(record: (wait: CommitWait) => void): void
  /** @throws Error when the server does not answer within some seconds */
  readFigures(): Promise<DatabaseFigures>
  /** Opens the connection for notices of commits between nodes. Resolves when it receives those of other nodes. */
  openNotices(receiver: NoticeReceiver): Promise<Notices>
  /**
   * Looks for due, unclaimed jobs, one seek in the index for each lane.
   * @param after the lane before the first; undefined to begin
   * @returns the lanes with such jobs, and the last lane it has looked at; undefined when there are no more
   */
  dueLanes(now: number, after: JobLane | undefined): Promise<{ due: JobLane[], last: JobLane | undefined }>
}

/** Milliseconds that the end of a group of changes has waited. */
export interface CommitWait {
  /** For the lock that orders the commits of all nodes. */
  lockMs: number
  /** From then until the commit was answered, while other nodes waited for that lock. */
  commitMs: number
}

/** The state of a server, by its own statistics. */
export interface DatabaseFigures {
  /** With all their partitions. */
  tables: TableFigures[]
  /** Those that there are, one of a kind: vacuum keeps the rows that were removed since the oldest of them began. */
  holders: VacuumHolder[]
}

export interface TableFigures {
  name: string
  liveRows: number
  /** Versions of rows that were removed or changed, until vacuum frees their space. */
  deadRows: number
  /** With long values, which PostgreSQL stores apart. */
  rowBytes: number
  indexBytes: number
}

export interface VacuumHolder {
  kind: 'transaction' | 'prepared' | 'standby' | 'slot'
  /** How many transactions have begun since. */
  transactions: number
  /** Its age; null for a slot, and without the right to read it (`pg_read_all_stats`). */
  seconds: number | null
}

export interface WindowCalls {
  name: string
  /** The end of the window, in milliseconds since 1970. */
  endsAt: number
  calls: number
  /** The highest count that the caller has received of this counter; 0 for none. */
  known: number
}

export interface JobLane {
  task: string
  /** Its key. */
  lane: string
}

export interface NoticeReceiver {
  /** @param topics of commits of other nodes; null when they are too many, or some may have been missed: everything has to be looked at */
  receive(topics: Set<string> | null): void
  /** Called when the connection is lost or cannot be opened. It is opened again. */
  failed(error: unknown): void
}

export interface Notices {
  /** Tells the other nodes of topics, soon. */
  send(topics: Set<string>): void
  close(): Promise<void>
}
