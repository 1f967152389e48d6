import type { Tx } from '../database.ts'

/** Records when keys were last used, in milliseconds since 1970. Keys that were deleted meanwhile are left out. */
export async function recordKeyUses(tx: Tx, apiKeyIds: string[], usedAt: number): Promise<void> {
  await tx.sql.insertInto('api_key_uses').columns(['api_key_id', 'used_at'])
    .expression((from) => from.selectFrom('api_keys').select((key) => ['api_keys.id', key.val(usedAt).as('used_at')])
      .where('api_keys.id', 'in', apiKeyIds).orderBy('api_keys.id')) // in one order, against deadlocks
    .onConflict((conflict) => conflict.column('api_key_id').doUpdateSet((use) => ({ used_at: use.ref('excluded.used_at') })))
    .execute()
}
