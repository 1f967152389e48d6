import type { Ddl } from '../../engine.ts'

export const sqliteDdl: Ddl = {
  clustered: 'without rowid',
  serial: 'integer primary key autoincrement',
  dayOf: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
  refusal: ({ name, before, when = '1', message }) =>
    `create trigger ${name} before ${before} when ${when} begin select raise(abort, '${message}'); end`,
  dropRefusal: ({ name }) => `drop trigger ${name}`,
  afterChange: (table, statement) => ['insert', 'update', 'delete'].map((kind) =>
    `create trigger ${table}_after_${kind} after ${kind} on ${table} begin ${statement}; end`),
  statement: (sql) => sql,
}
