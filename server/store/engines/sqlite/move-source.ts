import { createHash } from 'node:crypto'
import type { Queries } from '../../connection.ts'
import { openRowReader } from '../../move/row-reader.ts'
import type { MoveSource } from '../../move/sides.ts'

/** Reads the database that a move copies. @param db a file, of which this process is the only server */
export function openMoveSource(db: Queries): MoveSource {
  const read = async <T>(sql: string) => (await db.execute(sql, [])).rows as T[]
  return {
    ...openRowReader(db, () => '?'),
    async listTables() {
      const found = await read<{ name: string }>("select name from sqlite_schema where type = 'table'")
      return found.map(({ name }) => name)
    },
    async countRows({ name }) {
      return (await read<{ rows: number }>(`select count(*) as rows from "${name}"`))[0]!.rows
    },
    // each database has its own secrets
    async readFingerprint() {
      const migrations = await read('select name, applied_at from migrations order by name')
      const secrets = await read('select name, value from secrets order by name')
      return createHash('sha256').update(JSON.stringify([migrations, secrets])).digest('hex')
    },
    async readLastNumbers() {
      const found = await read<{ name: string, seq: number }>('select name, seq from sqlite_sequence')
      return new Map(found.map(({ name, seq }) => [name, seq]))
    },
  }
}
