import { EventEmitter } from 'node:events'
import { Kysely } from 'kysely'
import type { CompiledQuery, Compilable, QueryResult } from 'kysely'
import type { Clock } from '../clock.ts'
import { idSource } from '../ids.ts'
import type { Connection, Engine } from './sqlite.ts'
import { openSqlite } from './sqlite.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'

/** Where queries go. `execute` takes one that is compiled already, and spends no time on its way. */
export interface Queries {
  sql: Kysely<Schema>
  execute: Connection['execute']
}

/** Reads what is committed. Changes go through `inTransaction`. */
export interface Database extends Queries {
  engine: Engine
  now(): number
  newId(): string
  /** `committed` fires with the topics that the transactions of a commit named. */
  commits: EventEmitter<{ committed: [topics: Set<string>] }>
  close(): Promise<void>
}

/** A running transaction; everything in it has the same `now`. */
export interface Tx extends Queries {
  now: number
  newId(): string
  /** Tells the listeners of `commits` once this is on disk, and never when it is rolled back. */
  announce(topic: string): void
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase(file: string, clock: Clock): Promise<Database> {
  const engine = openSqlite(file)
  const writer = new Kysely<Schema>({ dialect: engine.writer.dialect })
  const reader = new Kysely<Schema>({ dialect: engine.reader.dialect })
  const db: Database = {
    sql: reader,
    execute: engine.reader.execute,
    engine,
    now: clock.now,
    newId: idSource(clock.now),
    commits: new EventEmitter(),
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
  groups.set(db, { writer, waiting: [], isCommitting: false, lastCommit: -Infinity })
  try {
    await migrate(writer, engine, clock.now())
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

/** The changes that wait for the next commit of a database. */
interface Group {
  writer: Kysely<Schema>
  waiting: Waiting[]
  isCommitting: boolean
  lastCommit: number
}

const groups = new WeakMap<Database, Group>()
const largestGroup = 128
/** Milliseconds that the changes of one commit may take: reads and mail wait meanwhile. */
const longestGroup = 10
/** Milliseconds between two commits. A lone change does not wait; under load each fsync serves all that came meanwhile. */
const pause = 4

/**
 * Runs a change. It is on disk when the promise resolves, and as if never begun when it rejects.
 * Changes that arrive together share one commit, so one fsync; a savepoint keeps the failure of one from the others.
 * `work` must not wait for the network or for another transaction: there is one connection.
 */
export function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const group = groups.get(db)!
    group.waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
    if (group.isCommitting) return
    group.isCommitting = true
    void commitGroups(db, group)
  })
}

async function commitGroups(db: Database, group: Group) {
  while (group.waiting.length > 0) {
    const rest = group.lastCommit + pause - performance.now()
    await new Promise((resolve) => rest > 0 ? setTimeout(resolve, rest) : setImmediate(resolve))
    await commitGroup(db, group)
    group.lastCommit = performance.now()
  }
  group.isCommitting = false
}

/** Commits the first changes of the queue: all there are, unless they are many or take long, because reads wait meanwhile. */
async function commitGroup(db: Database, { writer, waiting: queue }: Group) {
  const isAlone = queue.length === 1
  const members: Waiting[] = []
  const settle: (() => void)[] = []
  const topics = new Set<string>()
  const until = performance.now() + longestGroup
  try {
    const { execute } = db.engine.writer
    await writer.transaction().execute(async (sql) => {
      do {
        const member = queue.shift()!
        members.push(member)
        const named = new Set<string>()
        const tx: Tx = { sql, execute, now: db.now(), newId: db.newId, announce: (topic) => { named.add(topic) } }
        const outcome = isAlone ? { result: await member.work(tx) } : await inSavepoint(execute, () => member.work(tx))
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

async function inSavepoint<T>(execute: Connection['execute'], work: () => Promise<T>): Promise<{ result: T } | { error: unknown }> {
  execute('savepoint change', [])
  try {
    const result = await work()
    execute('release savepoint change', [])
    return { result }
  } catch (error) {
    try {
      execute('rollback to savepoint change', [])
      execute('release savepoint change', [])
    } catch {
      // the engine gave the whole transaction up (a full disk does that): the first error says why
      throw error
    }
    return { error }
  }
}

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
): (connection: Queries, values: Values) => Promise<QueryResult<Row>> {
  let query: CompiledQuery<Row> | undefined
  return async (connection, values) => {
    query ??= build(connection.sql, (name) => new Parameter(String(name)) as never).compile()
    const parameters = query.parameters.map((p) => p instanceof Parameter ? values[p.name as keyof Values] : p)
    return connection.execute(query.sql, parameters)
  }
}
