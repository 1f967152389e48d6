import Sqlite from 'better-sqlite3'
import type { TestApp } from '../app.ts'

/** Calls `heard` with the SQL of each query that the server's thread runs without Kysely. */
export function watchQueries({ app }: TestApp, heard: (sql: string) => void): void {
  const { execute } = app.db
  app.db.execute = (sql, parameters) => {
    heard(sql)
    return execute(sql, parameters)
  }
}

export interface SelectRecording {
  /** The SQL of each query that read while this is true, on connections that only read. */
  selects: Set<string>
  isRecording: boolean
  stop(): void
}

/** Records the queries of all servers of this process; those that are started before have prepared some already. */
export function recordSelects(): SelectRecording {
  const { prepare } = Sqlite.prototype
  const recording: SelectRecording = { selects: new Set(), isRecording: true, stop: () => { Sqlite.prototype.prepare = prepare } }
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    if (recording.isRecording && this.readonly && /^\s*select/i.test(sql)) recording.selects.add(sql)
    return prepare.call(this, sql)
  } as typeof prepare
  return recording
}

/** The steps by which the database would run each query. */
export function queryPlans({ app }: TestApp, queries: string[]): { sql: string, details: string[] }[] {
  const sqlite = new Sqlite(app.config.database, { readonly: true })
  try {
    return queries.map((sql) => {
      const values = Array.from({ length: sql.split('?').length - 1 }, () => '1')
      const rows = sqlite.prepare(`explain query plan ${sql}`).all(values) as { detail: string }[]
      return { sql, details: rows.map(({ detail }) => detail) }
    })
  } finally {
    sqlite.close()
  }
}
