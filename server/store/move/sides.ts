/** The values of a row, in the order of the columns. */
export type Row = (string | number | Uint8Array | null)[]

/** A table that is copied, as the target has it. */
export interface MovedTable {
  name: string
  columns: { name: string, type: string }[]
  /** Columns of the primary key; none for a table of one row. */
  key: string[]
  /** The column that numbers the rows. */
  serial: string | null
}

/** A table of the target, with the names of the tables that its rows refer to. */
export interface FoundTable extends MovedTable {
  references: string[]
}

/** Some rows of a table, in the order of its primary key. A table without one has one page. */
export interface RowPage {
  /** The key after which the page begins; undefined for the first page. */
  after: Row | undefined
  /** Maximum rows. */
  limit: number
}

/** Reads the rows of one side of a move. */
export interface RowReader {
  /** @returns the bytes of the values of a page, found without reading the values */
  countBytes(table: MovedTable, page: RowPage): Promise<number>
  readRows(table: MovedTable, page: RowPage): Promise<Row[]>
}

/** The database that a move copies. */
export interface MoveSource extends RowReader {
  listTables(): Promise<string[]>
  countRows(table: MovedTable): Promise<number>
  /** @returns a text that distinguishes databases */
  readFingerprint(): Promise<string>
  /** @returns the last number of each table that numbers its rows, by table; the row with it may be removed */
  readLastNumbers(): Promise<Map<string, number>>
}

/** Why a move cannot begin: the move of another source is not finished, or the target has rows. */
export type BeginRefusal = 'otherSource' | 'hasRows'

/** The database to which a move copies. */
export interface MoveTarget extends RowReader {
  /** @returns all tables of its schema, also those of other programs */
  findTables(): Promise<FoundTable[]>
  /**
   * Records that a move has begun: until `end`, no server starts on the target. Does nothing when the move of the same source has begun.
   * @returns undefined when the move may go on
   */
  begin(fingerprint: string, tables: MovedTable[]): Promise<BeginRefusal | undefined>
  countRows(table: MovedTable): Promise<number>
  /** @returns the key up to which a table is copied; undefined when it has no rows, or no key */
  findLastKey(table: MovedTable): Promise<Row | undefined>
  /** Adds rows in one transaction. They replace those of a table without a key. */
  insertRows(table: MovedTable, rows: Row[]): Promise<void>
  /** Lets new rows have numbers above `lastNumbers`, and servers start. @param lastNumbers by table */
  end(tables: MovedTable[], lastNumbers: Map<string, number>): Promise<void>
}
