import { idBoundary } from '../../../server/ids.ts'
import type { Queries } from '../../../server/store/connection.ts'
import { inTransaction } from '../../../server/store/database.ts'
import { encodeLane } from '../../../server/store/jobs/lanes.ts'
import type { TestApp } from '../app.ts'
import { ownerOf } from './accounts.ts'
import { watchCount } from './commits.ts'
import type { RowWatch } from './commits.ts'

/** Gives a webhook a URL that the API would refuse. */
export async function setWebhookUrl({ app }: TestApp, id: string, url: string): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.updateTable('webhooks').set({ url }).where('id', '=', id).execute())
}

/** Disables a webhook, while its deliveries stay. */
export async function disableWebhook({ app }: TestApp, id: string): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.updateTable('webhooks').set({ is_active: 0 }).where('id', '=', id).execute())
}

/** Gives all deliveries the response and the error of greatest size. */
export async function setResponses({ app }: TestApp, responseBody: string, error: string): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.updateTable('webhook_deliveries').set({ response_body: responseBody, error }).execute())
}

/** Adds deliveries of a webhook without a target, each with its id, its status and when it was planned. */
export async function addPlannedDeliveries(
  app: TestApp, deliveries: { id: string, status: 'pending' | 'succeeded' | 'failed', createdAt: number }[],
): Promise<void> {
  const { accountId, mode } = await ownerOf(app)
  const row = { webhook_id: 'w', event_id: 'e', event: 'x', payload: '{}', attempt: 1, is_counted: 1, due_at: 0 } as const
  await inTransaction(app.app.db, async (tx) => {
    await tx.sql.insertInto('webhooks')
      .values({ id: 'w', account_id: accountId, mode, url: 'http://a', events: '[]', secret: 's', is_active: 0, created_at: 0, form: 'both', dialect: 'primary' }).execute()
    await tx.sql.insertInto('webhook_deliveries')
      .values(deliveries.map(({ id, status, createdAt }) => ({ ...row, id, status, created_at: createdAt }))).execute()
  })
}

/** Number of calls of `addSecondAttempts`, so that its ids are unique. */
let batches = 0

/** Adds second attempts of a webhook; those that are pending have jobs that are due in an hour. @returns a watch of these attempts */
export async function addSecondAttempts(app: TestApp, webhookId: string, status: 'pending' | 'succeeded', count: number): Promise<RowWatch> {
  const { accountId } = await ownerOf(app)
  const now = app.app.clock.now()
  const dueAt = now + 3_600_000
  const batch = String(++batches).padStart(6, '0')
  const ids = Array.from({ length: count }, (_, i) => `${idBoundary(now)}-7000-8000-${batch}${String(i).padStart(6, '0')}`)
  const delivery = {
    webhook_id: webhookId, event: 'address.created', payload: '{"timestamp":0}', attempt: 2, is_counted: 1, status, due_at: dueAt, created_at: now,
  } as const
  const job = { task: 'deliver-webhook', lane: encodeLane('deliver-webhook', { account: accountId, webhook: webhookId }), run_at: dueAt, attempts: 0, claimed_by: null } as const
  await inTransaction(app.app.db, async (tx) => {
    await tx.sql.insertInto('webhook_deliveries').values(ids.map((id) => ({ ...delivery, id, event_id: id }))).execute()
    if (status !== 'pending') return
    await tx.sql.insertInto('jobs').values(ids.map((id) => ({ ...job, id, payload: JSON.stringify({ deliveryId: id }) }))).execute()
  })
  return watchCount(app, (at) => secondAttempts(at, webhookId, status))
}

export async function countSecondAttempts({ app }: TestApp, webhookId: string, status: DeliveryStatus): Promise<number> {
  return (await secondAttempts(app.db, webhookId, status).executeTakeFirstOrThrow()).n
}

type DeliveryStatus = 'pending' | 'succeeded' | 'failed'

const secondAttempts = ({ sql }: Queries, webhookId: string, status: DeliveryStatus) =>
  sql.selectFrom('webhook_deliveries').select((all) => all.fn.countAll<number>().as('n'))
    .where('webhook_id', '=', webhookId).where('status', '=', status).where('attempt', '=', 2)
