/** The proof that a row holds: a test of its own, or the file below test/ with a title that begins with the row. */
export type Proof<World> = ((world: World) => Promise<void> | void) | { file: string }

/** The proofs of a table; its tests share one world. */
export interface SpecTable<Row extends string, World extends AsyncDisposable> {
  open(): Promise<World>
  proofs: Record<Row, Proof<World>>
}

/** Makes one proof of each row of a table. */
export const eachRow = <Row extends string, World>(rows: readonly Row[], proof: (row: Row) => Proof<World>) =>
  Object.fromEntries(rows.map((row) => [row, proof(row)])) as Record<Row, Proof<World>>
