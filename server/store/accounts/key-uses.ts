import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../database.ts'

/** Records when a key was last used, in milliseconds since 1970. A key that was deleted meanwhile is left out. */
export async function recordKeyUse(tx: Tx, apiKeyId: string, usedAt: number): Promise<void> {
  await upsertUse(tx, { apiKeyId, usedAt })
}

const upsertUse = prepared<{ apiKeyId: string, usedAt: number }, never>((sql, value) =>
  sql.insertInto('api_key_uses').columns(['api_key_id', 'used_at'])
    .expression((from) => from.selectFrom('api_keys').select((key) => ['api_keys.id', key.val(value('usedAt')).as('used_at')])
      .where('api_keys.id', '=', value('apiKeyId')))
    .onConflict((conflict) => conflict.column('api_key_id').doUpdateSet((use) => ({ used_at: use.ref('excluded.used_at') }))))
