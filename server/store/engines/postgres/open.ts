import pg from 'pg'
import type { PoolClient } from 'pg'
import type { Ddl, Engine } from '../../engine.ts'
import type { AloneOptions, JobLane, SharedDatabase, WindowCalls } from '../../shared-database.ts'
import type { SourceStore } from '../../sources/source-store.ts'
import { measureEnds } from './commit-waits.ts'
import { openCommit } from './commit.ts'
import { toReader, toTransactions } from './connection.ts'
import { isFull, retryAfterMs, toAppError } from './errors.ts'
import { readFigures } from './figures.ts'
import { lockKeyOf, postgresLocks } from './locks.ts'
import { openNotices } from './notices.ts'
import { connectTimeoutMs, liftTimeLimit, maxReaders, openPool, settingsOf } from './pool.ts'
import type { Pool } from './pool.ts'
import { postgresSearch } from './search/postgres-search.ts'
import { runForAccount, SharedPool } from './shared-pool.ts'
import { ConnectionWatch } from './watch-connections.ts'

export { checkPostgres } from './reach.ts'

/** Opens a database of a PostgreSQL server. @param url `postgres://user:password@host:port/name` */
export function openPostgres(url: string, sources: SourceStore | null): Engine {
  const lost = () => {} // the pool opens another connection at the next use
  const readers = openPool(url, { max: maxReaders, lost })
  const writers = openPool(url, { max: 1, lost, pipeline: true })
  const counters = openPool(url, { max: 1, lost, isFlushed: false })
  const snapshots = openPool(url, { max: 1, lost })
  const pools = [readers, writers, snapshots, counters]
  const watch = new ConnectionWatch(url, pools)
  const { steps, locks, recordCommits } = measureEnds({ steps: openCommit(readers), locks: postgresLocks })
  return {
    reader: toReader(new SharedPool(readers, maxReaders)),
    writer: toTransactions(writers, steps),
    pipelines: true,
    mergesUnions: false,
    snapshots: toTransactions(new SharedPool(snapshots, 1), { begin: (client: PoolClient) => client.query('begin isolation level repeatable read read only') }),
    ...postgresDdl,
    locks,
    search: postgresSearch,
    file: null,
    sources,
    shared: {
      alone: (work, options) => alone(url, work, options),
      waitingBytes: (accountId) => waitingBytes(readers, accountId),
      ...openCallCounts(counters),
      readTime: () => readTime(readers),
      recordCommits,
      readFigures: () => readFigures(readers),
      openNotices: (receiver) => openNotices(url, receiver),
      dueLanes: openDueLanes(readers),
    },
    reserve: { isLow: () => false, release: () => false, refill: async () => {} },
    runForAccount,
    toAppError,
    isFull,
    retryAfterMs,
    async close() {
      await Promise.all(pools.map((pool) => pool.end())).finally(() => watch.close()) // a pool ends when its queries have ended
      await sources?.close()
    },
  }
}

/** The names of the locks, by kind of work. */
const aloneLocks = { start: 'the start of a process', move: 'the move of an account' } as const

/**
 * Runs work with a lock that only one process has. A connection of its own has the lock, since the work has transactions of its own. If it
 * is lost, the server has released the lock: of two starts the unique indexes let one fail, and a move ends with the signal.
 */
async function alone<T>(url: string, work: (lost: AbortSignal) => Promise<T>, { kind = 'start', onWait }: AloneOptions = {}): Promise<T> {
  const client = new pg.Client({ ...settingsOf(url), application_name: `mayfly ${kind}`, connectionTimeoutMillis: connectTimeoutMs })
  const lost = new AbortController()
  client.on('error', (cause) => lost.abort(new Error('The connection that keeps other processes from the same work was lost.', { cause })))
  await client.connect()
  try {
    await liftTimeLimit(client)
    await client.query('set lock_timeout = 0; set idle_session_timeout = 0') // the work, also that of another process, may take long
    const key = lockKeyOf(aloneLocks[kind])
    const { rows: [tried] } = await client.query<{ locked: number }>('select pg_try_advisory_lock($1) as locked', [key])
    if (!tried!.locked) {
      onWait?.()
      await client.query('select pg_advisory_lock($1)', [key])
    }
    return await work(lost.signal)
  } finally {
    await client.end()
  }
}

/** @param pool of one connection, which no other query delays, and whose commits do not wait for the disk */
const openCallCounts = (pool: Pool): Pick<SharedDatabase, 'addCalls' | 'removeCalls'> => ({
  async addCalls(calls) {
    const column = <K extends keyof WindowCalls>(name: K) => calls.map((call) => call[name])
    const values = [column('endsAt'), column('name'), column('calls'), column('known')]
    const { rows } = await pool.query<{ ends_at: number, name: string, calls: number }>({ name: 'add-calls', text: upsert, values })
    const counts = new Map(rows.map((row) => [`${row.ends_at} ${row.name}`, row.calls]))
    return calls.map(({ endsAt, name }) => counts.get(`${endsAt} ${name}`)!)
  },
  async removeCalls(endedBefore) {
    await pool.query('delete from call_counts where ends_at < $1', [endedBefore])
  },
})

// In the order of the key, in which all nodes lock the rows. `excluded.calls` is the known count and the calls: the count after a crash
// that has lost some. The column `added` passes the number of calls to `do update`.
const upsert = `
  insert into call_counts as counted (ends_at, name, calls, added)
  select ends_at, name, known + calls, calls
  from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as new (ends_at, name, calls, known) order by ends_at, name
  on conflict (ends_at, name) do update set calls = greatest(counted.calls + excluded.added, excluded.calls)
  returning ends_at, name, calls`

async function waitingBytes(readers: Pool, accountId: string): Promise<number> {
  const { rows: [row] } = await readers.query<{ bytes: number }>({ name: 'waiting-bytes', text: waitingBytesSql, values: [accountId] })
  return row!.bytes
}

/** Two conditions, each with an index. */
const waitingBytesSql = `select coalesce(sum((payload::json ->> 'size')::bigint), 0) as bytes from (${
  ['claimed_by is null', 'claimed_by is not null'].map((claim) =>
    `select payload from jobs where ${claim} and task = 'parse-message' and lane = $1`).join(' union all ')}) as mails`

const postgresDdl: Ddl = {
  clustered: '',
  serial: 'bigint generated by default as identity primary key',
  dayOf: (column) => `to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD')`,
  // the condition may have queries, which that of a trigger may not
  refusal: ({ name, before, when = 'true', message }) => `
    create or replace function ${name}() returns trigger language plpgsql as $$ begin
      if ${when} then raise exception '${message}' using errcode = 'integrity_constraint_violation'; end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$;
    create trigger ${name} before ${before} for each row execute function ${name}()`,
  dropRefusal: ({ name, table }) => `drop trigger ${name} on ${table}`,
  afterChange: (table, statement) => [`
    create function ${table}_after_change() returns trigger language plpgsql as $$ begin
      ${statement};
      return null;
    end $$;
    create trigger ${table}_after_change after insert or update or delete on ${table} for each statement execute function ${table}_after_change()`],
  // ids, days and keys are compared by bytes, whatever the locale of the database is
  statement: (sql) => sql.replace(/^(create table|alter table) [^]*$/, (table) =>
    table.replace(/(\s|\()(\w+) text\b(?! collate)/g, '$1$2 text collate "C"').replace(/\bblob\b/g, 'bytea')),
}

/** Maximum lanes of a query. */
const maxLanes = 1_000

/** @see SharedDatabase */
const openDueLanes = (pool: Pool): SharedDatabase['dueLanes'] => async (now, after = { task: '', lane: '' }) => {
  const { rows } = await pool.query<JobLane & { is_due: number }>({ name: 'due-lanes', text: sql, values: [after.task, after.lane, now, maxLanes] })
  return {
    due: rows.filter((row) => row.is_due).map(({ task, lane }) => ({ task, lane })),
    last: rows.length === maxLanes ? rows.at(-1) : undefined,
  }
}

const sql = `
  with recursive lanes as (
    (select task, lane from jobs where claimed_by is null and (task, lane) > ($1, $2) order by task, lane limit 1)
    union all
    select next.task, next.lane from lanes cross join lateral (
      select task, lane from jobs where claimed_by is null and (task, lane) > (lanes.task, lanes.lane) order by task, lane limit 1
    ) as next
  )
  select task, lane, exists (
    select 1 from jobs where claimed_by is null and jobs.task = lanes.task and jobs.lane = lanes.lane and run_at <= $3
  ) as is_due from lanes limit $4`

/** The time of the server, in milliseconds since 1970: not that of the begin of a transaction. */
async function readTime(pool: Pool): Promise<number> {
  const { rows: [row] } = await pool.query<{ time: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as time')
  return row!.time
}
