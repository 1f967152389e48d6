import { EventEmitter } from 'node:events'
import { Kysely, sql } from 'kysely'
import type { CompiledQuery, Compilable, QueryResult } from 'kysely'
import type { Clock } from '../clock.ts'
import { idSource } from '../ids.ts'
import type { Engine } from './sqlite.ts'
import { openSqlite } from './sqlite.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'

/** Where reads go. Changes go through `inTransaction`. */
export interface Database {
  sql: Kysely<Schema>
  engine: Engine
  now(): number
  newId(): string
  /** `committed` fires with the topics that the transactions of a commit named. */
  commits: EventEmitter<{ committed: [topics: Set<string>] }>
  close(): Promise<void>
}

/** A running transaction; everything in it has the same `now`. */
export interface Tx {
  sql: Kysely<Schema>
  now: number
  newId(): string
  /** Tells the listeners of `commits` once this is on disk, and never when it is rolled back. */
  announce(topic: string): void
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase(file: string, clock: Clock): Promise<Database> {
  const engine = openSqlite(file)
  const db: Database = {
    sql: new Kysely<Schema>({ dialect: engine.dialect }),
    engine,
    now: clock.now,
    newId: idSource(clock.now),
    commits: new EventEmitter(),
    close: () => db.sql.destroy(),
  }
  try {
    await migrate(db.sql, clock.now())
  } catch (error) {
    await db.close()
    throw error
  }
  return db
}

interface Waiting {
  work(tx: Tx): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

const groups = new WeakMap<Database, Waiting[]>()
const largestGroup = 64
/** Milliseconds. */
const longestGroup = 10

/**
 * Runs a change. It is on disk when the promise resolves, and as if never begun when it rejects.
 * Changes that arrive together share one commit, so one fsync; a savepoint keeps the failure of one from the others.
 * `work` must not wait for the network or for another transaction: there is one connection.
 */
export function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const waiting = { work, resolve: resolve, reject }
    const group = groups.get(db)
    if (group) {
      group.push(waiting)
    } else {
      groups.set(db, [waiting])
      setImmediate(() => void commitGroups(db))
    }
  })
}

async function commitGroups(db: Database) {
  const group = groups.get(db)!
  while (group.length > 0) await commitGroup(db, group)
  groups.delete(db)
}

/** Commits the first changes of the queue: all there are, unless they are many or take long, because reads wait meanwhile. */
async function commitGroup(db: Database, queue: Waiting[]) {
  const isAlone = queue.length === 1
  const members: Waiting[] = []
  const settle: (() => void)[] = []
  const topics = new Set<string>()
  const until = performance.now() + longestGroup
  try {
    await db.sql.transaction().execute(async (sql) => {
      do {
        const member = queue.shift()!
        members.push(member)
        const named = new Set<string>()
        const tx: Tx = { sql, now: db.now(), newId: db.newId, announce: (topic) => { named.add(topic) } }
        const outcome = isAlone ? { result: await member.work(tx) } : await inSavepoint(sql, () => member.work(tx))
        if ('error' in outcome) {
          settle.push(() => member.reject(db.engine.toAppError(outcome.error)))
        } else {
          for (const topic of named) topics.add(topic)
          settle.push(() => member.resolve(outcome.result))
        }
      } while (!isAlone && queue.length > 0 && members.length < largestGroup && performance.now() < until)
    })
  } catch (error) {
    // the commit failed, or the only change did: nothing of this group is stored
    for (const { reject } of members) reject(db.engine.toAppError(error))
    return
  }
  for (const tell of settle) tell()
  if (topics.size > 0) db.commits.emit('committed', topics)
}

async function inSavepoint<T>(connection: Kysely<Schema>, work: () => Promise<T>): Promise<{ result: T } | { error: unknown }> {
  await run(connection, savepoint.begin)
  try {
    const result = await work()
    await run(connection, savepoint.release)
    return { result }
  } catch (error) {
    try {
      await run(connection, savepoint.rollback)
      await run(connection, savepoint.release)
    } catch {
      // the engine gave the whole transaction up (a full disk does that): the first error says why
      throw error
    }
    return { error }
  }
}

const savepoint = {
  begin: sql`savepoint change`,
  release: sql`release savepoint change`,
  rollback: sql`rollback to savepoint change`,
}

const run = (connection: Kysely<Schema>, statement: typeof savepoint.begin) => statement.execute(connection)

/** Stands for a value while a query is compiled. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** `value('x')` stands where the value x comes. */
export type Value<Values> = <K extends keyof Values>(name: K) => Values[K]

/**
 * A query that is compiled once, on first use, and then only gets new values: compiling costs more than running it.
 */
export function prepared<Values extends object, Row>(
  build: (sql: Kysely<Schema>, value: Value<Values>) => Compilable<Row>,
): (connection: { sql: Kysely<Schema> }, values: Values) => Promise<QueryResult<Row>> {
  let query: CompiledQuery<Row> | undefined
  return (connection, values) => {
    query ??= build(connection.sql, (name) => new Parameter(String(name)) as never).compile()
    const parameters = query.parameters.map((p) => p instanceof Parameter ? values[p.name as keyof Values] : p)
    return connection.sql.executeQuery({ ...query, parameters })
  }
}
