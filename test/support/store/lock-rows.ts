import { Client } from 'pg'

/** Locks a row, as a transaction does that takes long. */
export async function lockRows(url: string, table: string, id: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(`select 1 from ${table} where id = $1 for update`, [id])
  return { release: () => client.end() }
}
