import { pino } from 'pino'
import { systemClock } from '../../server/clock.ts'
import type { App } from '../../server/context.ts'
import { openResolver } from '../../server/outbound/dns.ts'
import { openWebhookSender } from '../../server/outbound/webhook.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import { releaseOtherClaims } from '../../server/store/jobs/claims.ts'
import { emit } from '../../server/store/events/outbox.ts'
import { deliverWebhook } from '../../server/worker/tasks/deliver-webhook.ts'
import { openNode } from '../../server/worker/node.ts'
import { startWorker } from '../../server/worker/worker.ts'

/**
 * Emits and delivers events of an account until it is killed. Runs only this part of the server, so it starts fast. Arguments: database,
 * account id.
 */
const [file, accountId] = process.argv.slice(2) as [string, string]
const db = await openDatabase(file, systemClock)
const log = pino({ level: 'silent' })
const node = await openNode({ db, clock: systemClock, log })
if (db.engine.file) {
  db.engine.file.claim()
  await inTransaction(db, (tx) => releaseOtherClaims(tx, node.id))
}
const app = {
  db, node, log,
  clock: systemClock,
  network: { webhooks: openWebhookSender({ resolver: openResolver(['127.0.0.1:9']), allowPrivate: true }) },
  metrics: { webhookDelivered() {} },
  activity: { record() {} },
  draining: new AbortController().signal,
  closing: new AbortController().signal,
} satisfies { [Name in keyof App]?: unknown } as unknown as App
startWorker(app, { 'deliver-webhook': deliverWebhook })
process.once('disconnect', () => process.exit())
process.send!('started')
for (;;) {
  await inTransaction(db, (tx) => emit(tx, { accountId, mode: 'live' }, 'address.created', {
    addressId: tx.newId(), address: 'a@mail.localhost', expiresAt: new Date(tx.now).toISOString(),
  }))
  await new Promise((resolve) => setTimeout(resolve, 2))
}
