import type Sqlite from 'better-sqlite3'
import { SqliteDialect } from 'kysely'
import type { Connection } from '../../engine.ts'

export function toConnection(sqlite: Sqlite.Database): Connection {
  const database = cachingStatements(sqlite)
  return {
    dialect: new SqliteDialect({ database }),
    execute(sql, parameters) {
      const statement = database.prepare(sql)
      if (statement.reader) return { rows: statement.all(parameters) as never[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
    },
  }
}

/** Reuses prepared statements: Kysely prepares a statement for each execution. */
function cachingStatements(sqlite: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement>()
  return {
    close: () => { sqlite.close() },
    prepare(sql: string) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = sqlite.prepare(sqliteSql(sql, !sqlite.readonly))
        if (statements.size >= 500) statements.clear()
        statements.set(sql, statement)
      }
      // on a full disk SQLite rolls back by itself; the error of a second rollback would hide the first one
      return sql === 'rollback' && !sqlite.inTransaction ? sqlite.prepare('select 1') : statement
    },
  }
}

function sqliteSql(sql: string, isWriter: boolean) {
  // a plain `begin` takes the write lock at its first write, and fails if another transaction has committed by then
  if (sql === 'begin' && isWriter) return 'begin immediate'
  // SQLite plans a statement with `order by` again for each set of bound values that it can see, which costs more than the query
  if (/^select .* order by /.test(sql)) return sql.replaceAll('?', 'coalesce(?, null)')
  return sql
}
