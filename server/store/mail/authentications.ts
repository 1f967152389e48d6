import type { Authentication } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { prepared } from '../changes/prepared.ts'

/** @returns false when the message is gone, or has results */
export async function insertAuthentication(
  tx: Tx, messageId: string, results: Authentication | null, arc: string | null,
): Promise<boolean> {
  const { numAffectedRows } = await insertResults(tx, { messageId, results: JSON.stringify(results), arc })
  return numAffectedRows === 1n
}

export interface Unauthenticated {
  /** The SMTP envelope, as JSON. */
  envelope: string
  isForwarded: boolean
}

/** @returns undefined when the message is gone */
export async function findUnauthenticated(db: Database, messageId: string): Promise<Unauthenticated | undefined> {
  const { rows } = await selectUnauthenticated(db, { messageId })
  return rows[0] && { envelope: rows[0].envelope, isForwarded: rows[0].forward !== null }
}

const insertResults = prepared<{ messageId: string, results: string, arc: string | null }, never>((sql, value) =>
  sql.insertInto('authentications').columns(['message_id', 'results', 'arc'])
    .expression((from) => from.selectFrom('messages')
      .select((row) => ['id', row.val(value('results')).as('results'), row.val(value('arc')).as('arc')])
      .where('id', '=', value('messageId')))
    .onConflict((conflict) => conflict.column('message_id').doNothing()))

const selectUnauthenticated = prepared<{ messageId: string }, { envelope: string, forward: string | null }>((sql, value) =>
  sql.selectFrom('messages')
    .select((row) => ['envelope', row.selectFrom('deliveries').select('id')
      .where('message_id', '=', value('messageId')).where('kind', '=', 'forward').where('status', '=', 'queued').limit(1).as('forward')])
    .where('id', '=', value('messageId')))
