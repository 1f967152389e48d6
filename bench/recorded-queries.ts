import { systemClock } from '../server/clock.ts'
import { readConfig } from '../server/config/config.ts'
import type { App } from '../server/context.ts'
import { createAddress, randomAlias } from '../server/domain/addresses.ts'
import { idSource } from '../server/ids.ts'
import { findKeyHolder } from '../server/store/accounts/api-keys.ts'
import type { KeyHolder } from '../server/store/accounts/api-keys.ts'
import { insertChangeRecords } from '../server/store/accounts/idempotency-keys.ts'
import { listAddresses } from '../server/store/addresses/address-list.ts'
import { inTransaction, openDatabase } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'

interface Query {
  sql: string
  parameters: readonly unknown[]
}

/** A statement of a creation. */
interface Insert {
  sql: string
  /** Its parameters for another address. @param fresh new ids and a new alias, in place of those that were recorded */
  valuesOf(fresh: string[]): unknown[]
}

export interface RecordedQueries {
  /** Finds a key by its hash. */
  key: string
  list: Query[]
  create: Insert[]
  freshValues(): string[]
  /** The answer to a creation, as long as that of the server. */
  addressOf(fresh: string[]): object
}

/** Records the server's queries, so that a baseline does the same work. Creates an address. */
export async function recordQueries(file: string, keyHash: string): Promise<RecordedQueries> {
  const db = await openDatabase(file, systemClock)
  try {
    const reads = record(db)
    const holder = (await findKeyHolder(db, keyHash))!
    await listAddresses(db, holder, { limit: 20, offset: 0 })
    const writes = record(db.engine.writer)
    const created = await create(db, holder)
    const [key, ...list] = reads
    return { key: key!.sql, list, ...templatesOf(writes, holder, created) }
  } finally {
    await db.close()
  }
}

/** @returns the queries that are executed from now on */
function record(target: Pick<Database, 'execute'>): Query[] {
  const recorded: Query[] = []
  const { execute } = target
  target.execute = (sql, parameters) => {
    recorded.push({ sql, parameters })
    return execute(sql, parameters)
  }
  return recorded
}

/** Creates an address in the transaction of a request, with its audit record. */
function create(db: Database, holder: KeyHolder) {
  const config = readConfig({})
  const intake = { prepare() {} } as App['intake'] // no thread is started
  return inTransaction(db, async (tx) => {
    const created = await createAddress(tx, { config, intake } as App, holder, {})
    await insertChangeRecords(tx, {
      audit: {
        ...holder, id: db.newId(), action: 'addresses.create', method: 'POST', path: '/api/v1/addresses', status: 201,
        resourceId: created.id, ipAddress: '127.0.0.1', userAgent: null, createdAt: tx.now,
      },
      key: undefined,
    })
    return created
  })
}

/** Replaces the ids and the alias of a recorded creation by places for new ones. */
function templatesOf(writes: Query[], { accountId, apiKeyId }: KeyHolder, created: { alias: string, address: string }) {
  const ids = writes.flatMap(({ parameters }) => JSON.stringify(parameters).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])
  const places = [created.alias, ...new Set(ids.filter((id) => id !== accountId && id !== apiKeyId))]
  const anyPlace = new RegExp(`(${places.join('|')})`)
  const template = (value: unknown): ((fresh: string[]) => unknown) => {
    if (typeof value !== 'string' || !anyPlace.test(value)) return () => value
    const pieces = value.split(anyPlace).map((piece) => ({ piece, place: places.indexOf(piece) }))
    return (fresh) => pieces.map(({ piece, place }) => place < 0 ? piece : fresh[place]!).join('')
  }
  const newId = idSource(systemClock.now)
  return {
    create: writes.map(({ sql, parameters }): Insert => {
      const makers = parameters.map(template)
      return { sql, valuesOf: (fresh) => makers.map((make) => make(fresh)) }
    }),
    freshValues: () => places.map((_, place) => place === 0 ? randomAlias() : newId()),
    addressOf: ([alias, id]: string[]) => ({ ...created, id, alias, address: created.address.replace(created.alias, alias!) }),
  }
}
