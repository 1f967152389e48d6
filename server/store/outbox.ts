import type { WebhookEvent } from '../contract/types.gen.ts'
import type { Tx } from './database.ts'
import { prepared } from './prepared.ts'
import type { Mode, OutboxRow } from './schema.ts'

/** Whose data an event, a row or a caller belongs to: test data and live data of an account never meet. */
export interface Owner {
  accountId: string
  mode: Mode
}

/** Records an event in the transaction that makes it true, so it exists exactly when the change does. */
export async function emit(tx: Tx, owner: Owner, event: WebhookEvent, data: Record<string, unknown>): Promise<void> {
  await insertEvent(tx, {
    id: tx.newId(),
    account_id: owner.accountId,
    mode: owner.mode,
    event,
    data: JSON.stringify(data),
    created_at: tx.now,
  })
  tx.announce(eventTopic(owner))
}

/** What is announced when something happens to an owner's data. */
export const eventTopic = ({ accountId, mode }: Owner) => `events/${accountId}/${mode}`

const insertEvent = prepared<Omit<OutboxRow, 'seq'>, never>((sql, value) => sql.insertInto('outbox').values({
  id: value('id'),
  account_id: value('account_id'),
  mode: value('mode'),
  event: value('event'),
  data: value('data'),
  created_at: value('created_at'),
}))
