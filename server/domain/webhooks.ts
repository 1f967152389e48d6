import type { Webhook, WebhookCreate, WebhookCreated, WebhookUpdate } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { AppError, invalidRequest } from '../errors.ts'
import { ownAddresses } from '../store/addresses.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'
import { enqueue } from '../store/jobs.ts'
import type { Owner } from '../store/owner.ts'
import type { WebhookRow } from '../store/schema.ts'
import { dropPendingDeliveries, removeDeliveries } from '../store/webhook-deliveries.ts'
import type { WebhookKey } from '../store/webhook-deliveries.ts'
import {
  countWebhooks, findWebhook, insertWebhook, removeWebhook, toWebhook, toWebhookCreated, updateWebhook as change,
} from '../store/webhooks.ts'
import { maxWebhookKeyBytes, minWebhookKeyBytes, newWebhookSecret, webhookKey } from '../webhook-secret.ts'

/** Maximum webhooks of an account and mode: their list has no pages. */
const maxWebhooks = 100

/** Milliseconds after a rotation in which deliveries are signed with the previous secret too. */
const rotationMs = 24 * 3600 * 1000

/**
 * Subscribes a URL to events.
 * @throws AppError `INVALID_REQUEST` for a URL that the public cannot reach or a secret that is too long, `NOT_FOUND` for
 * an address, `CONFLICT` past a hundred webhooks
 * @see spec "POST /api/v1/webhooks"
 */
export function createWebhook(app: App, caller: Caller, wish: WebhookCreate): Promise<WebhookCreated> {
  refuseTarget(app, wish.url)
  const secret = wish.secret ?? newWebhookSecret()
  if (webhookKey(secret).length > maxWebhookKeyBytes) {
    throw invalidRequest('body.secret', `must hold ${minWebhookKeyBytes} to ${maxWebhookKeyBytes} bytes in base64`)
  }
  return inTransaction(app.db, async (tx) => {
    if (await countWebhooks(tx, caller) >= maxWebhooks) {
      throw new AppError('CONFLICT', `There are ${maxWebhooks} webhooks already, which is as many as there may be. Delete one first.`)
    }
    const addressIds = await checkedAddresses(tx, caller, wish.addressIds ?? null)
    return toWebhookCreated(await insertWebhook(tx, caller, { url: wish.url, events: once(wish.events), addressIds, secret }))
  })
}

/**
 * Changes the members of a webhook that are given. One that is switched off drops what it has not delivered.
 * @throws AppError `NOT_FOUND`, also for an address; `INVALID_REQUEST` for a URL that the public cannot reach
 */
export function updateWebhook(app: App, caller: Caller, id: string, wish: WebhookUpdate): Promise<Webhook> {
  if (wish.url !== undefined) refuseTarget(app, wish.url)
  return inTransaction(app.db, async (tx) => {
    const before = await findOwn(tx, caller, id)
    const { url = before.url, events } = wish
    const addressIds = wish.addressIds === undefined ? undefined : await checkedAddresses(tx, caller, wish.addressIds)
    await change(tx, id, {
      url,
      ...(events && { events: JSON.stringify(once(events)) }),
      ...(addressIds !== undefined && { address_ids: addressIds && JSON.stringify(addressIds) }),
      ...(wish.isActive && { is_active: 1, disabled_at: null, disabled_reason: null }),
    })
    if (wish.isActive === false && before.is_active) await switchOff(tx, id, 'It was switched off.')
    return toWebhook(await findOwn(tx, caller, id))
  })
}

/**
 * Removes a webhook and what it has not delivered.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/webhooks/:id"
 */
export function deleteWebhook(app: App, caller: Caller, id: string): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if (!await removeWebhook(tx, caller, id)) throw noWebhook()
    await purgeDeliveries(tx, { accountId: caller.accountId, webhookId: id })
  })
}

/**
 * Gives a webhook a new secret. The previous one signs too for `rotationMs`.
 * @throws AppError `NOT_FOUND`
 */
export function rotateSecret(app: App, caller: Caller, id: string): Promise<WebhookCreated> {
  return inTransaction(app.db, async (tx) => {
    const { secret } = await findOwn(tx, caller, id)
    await change(tx, id, { secret: newWebhookSecret(), previous_secret: secret, previous_secret_until: tx.now + rotationMs })
    return toWebhookCreated(await findOwn(tx, caller, id))
  })
}

/** Ends a webhook until its owner switches it on again. What it has not delivered is given up. */
export async function switchOff(tx: Tx, id: string, reason: string): Promise<void> {
  await change(tx, id, { is_active: 0, disabled_at: tx.now, disabled_reason: reason })
  await giveUpDeliveries(tx, { webhookId: id, before: tx.newId() })
}

/** Deliveries that one transaction ends: it must not hold the database for long. */
const deliveriesAtOnce = 250

/** Gives up what a webhook had not delivered when it was switched off, some at a time. */
export async function giveUpDeliveries(tx: Tx, part: { webhookId: string, before: string }): Promise<void> {
  const reason = 'The webhook was disabled before this attempt.'
  const dropped = await dropPendingDeliveries(tx, part.webhookId, { before: part.before, reason, limit: deliveriesAtOnce })
  if (dropped === deliveriesAtOnce) await enqueue(tx, 'give-up-deliveries', part)
}

/** Removes what is known of the deliveries of a webhook that is gone, some at a time. */
export async function purgeDeliveries(tx: Tx, webhook: WebhookKey): Promise<void> {
  if (!await removeDeliveries(tx, webhook, deliveriesAtOnce)) await enqueue(tx, 'purge-deliveries', webhook)
}

export const noWebhook = () => new AppError('NOT_FOUND', 'There is no webhook with this id.')

export async function findOwn(tx: Tx, owner: Owner, id: string): Promise<WebhookRow> {
  const found = await findWebhook(tx, owner, id)
  if (!found) throw noWebhook()
  return found
}

function refuseTarget({ network }: App, url: string) {
  const refusal = network.webhooks.refusalOf(url)
  if (refusal) throw invalidRequest('body.url', refusal, 'Give the public https address of your endpoint; on a server of your own, ' +
    'MAYFLY_ALLOW_PRIVATE_WEBHOOKS=true allows private addresses and http.')
}

/** In lower case, each once. */
async function checkedAddresses(tx: Tx, owner: Owner, ids: string[] | null): Promise<string[] | null> {
  if (ids === null) return null
  const wanted = once(ids.map((id) => id.toLowerCase()))
  const found = new Set(await ownAddresses(tx, owner, wanted))
  const missing = wanted.find((id) => !found.has(id))
  if (missing) throw new AppError('NOT_FOUND', `body.addressIds: there is no address with the id ${missing}.`)
  return wanted
}

const once = <Item>(items: Item[]) => [...new Set(items)]
