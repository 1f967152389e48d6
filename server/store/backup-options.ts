export interface BackupOptions {
  /** Replaces the file when it exists. */
  overwrite: boolean
  /** Tables whose rows are counted in the database and in the copy. */
  tables: readonly string[]
  /** Bytes that have to stay free on the disk of the database, where the copy is on the same one. */
  minFreeBytes: number
  /** Ends the copying; nothing is left of the copy then. */
  signal: AbortSignal
  onProgress?: OnProgress | undefined
}

/** Gets the part of long work that is done, in the same unit as all of it. */
export type OnProgress = (done: number, total: number) => void

export interface Backup {
  /** Absolute name of the file. */
  file: string
  bytes: number
  /** Rows by table. */
  rows: Record<string, number>
}

export interface RestoreOptions {
  /** Moves an existing database aside. */
  force: boolean
  /** Accepts a copy without its log. */
  withoutLog: boolean
  onProgress?: OnProgress | undefined
  /** Distinguishes the name of the database that is moved aside. */
  stamp: string
  /** @param applied names of migrations @throws Error when this version cannot open the schema */
  checkSchema(applied: string[]): void
}
