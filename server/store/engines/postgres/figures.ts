import type { QueryResult } from 'pg'
import type { DatabaseFigures, TableFigures, VacuumHolder } from '../../shared-database.ts'

/** Maximum time of each query, in milliseconds: the size of a table that a migration has locked cannot be read. */
const maxMs = 1_000

/**
 * Reads statistics of the server and the sizes of files, no rows, in one round trip.
 * @throws Error when a query takes longer than a second
 */
export async function readFigures(connection: { query(text: string): Promise<unknown> }): Promise<DatabaseFigures> {
  const results = await connection.query(`set local statement_timeout = ${maxMs}; ${holdersSql}; ${tablesSql}`)
  const [, holders, tables] = results as [unknown, QueryResult<VacuumHolder>, QueryResult<TableFigures>]
  return { holders: holders.rows, tables: tables.rows }
}

// Sessions of other databases hold back nothing here, and neither does vacuum itself. One without a database sends to a standby, and has
// the oldest transaction of that with `hot_standby_feedback`. The begin of one of another user is null without `pg_read_all_stats`.
const holdersSql = `
  select distinct on (kind) kind, transactions, seconds from (
    select case when datname is null then 'standby' else 'transaction' end as kind,
      greatest(age(backend_xid), age(backend_xmin)) as transactions, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
    from pg_stat_activity
    where pid <> pg_backend_pid() and (backend_xid is not null or backend_xmin is not null)
      and coalesce(datname = current_database(), true) and pid not in (select pid from pg_stat_progress_vacuum)
    union all
    select 'prepared', age(transaction), extract(epoch from clock_timestamp() - prepared)::float8
    from pg_prepared_xacts where database = current_database()
    union all
    select 'slot', greatest(age(xmin), age(catalog_xmin)), null
    from pg_replication_slots where xmin is not null or catalog_xmin is not null
  ) as held order by kind, transactions desc, seconds desc nulls last`

// a partition counts for its table
const tablesSql = `
  select tables.relname::text as name, sum(n_live_tup) as "liveRows", sum(n_dead_tup) as "deadRows",
    coalesce(sum(pg_table_size(relid)), 0) as "rowBytes", coalesce(sum(pg_indexes_size(relid)), 0) as "indexBytes"
  from pg_stat_user_tables join pg_class as tables on tables.oid = coalesce(pg_partition_root(relid), relid)
  where schemaname = current_schema() group by tables.relname order by name`
