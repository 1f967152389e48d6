import pg from 'pg'

/** Rows of a table that PostgreSQL may read as a whole. */
const fewRows = 1_000

/** @returns how PostgreSQL reads each table in the queries that `run` sends; reads of a whole table of many rows begin with `!` */
export async function plansOf(database: string, run: () => Promise<unknown>): Promise<string[]> {
  const queries = new Map<string, unknown[]>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: [{ text?: string, values?: unknown[] }]) {
    const [{ text, values = [] }] = args
    if (text && /^\s*select/.test(text)) queries.set(text, values)
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await run()
  } finally {
    pg.Client.prototype.query = query
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const reads: string[] = []
    const { rows: large } = await client.query<{ relname: string }>('select relname from pg_class where reltuples > $1', [fewRows])
    const isLarge = (read: string) => large.some(({ relname }) => new RegExp(`^(Parallel )?Seq Scan on ${relname}\\b`).test(read))
    for (const [text, values] of queries) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      for (const { 'QUERY PLAN': line } of rows) {
        const [, read] = /(\w[\w ]* Scan.*?)  \(cost/.exec(line) ?? []
        if (read && !/^(Function|Subquery|CTE)/.test(read)) reads.push(`${isLarge(read) ? '! ' : ''}${read}`)
      }
    }
    return [...new Set(reads)]
  } finally {
    await client.end()
  }
}
