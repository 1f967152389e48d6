import { dayMs } from '../clock.ts'
import type { App, Caller, Services } from '../context.ts'
import type { Webhook, WebhookCreate, WebhookCreated, WebhookUpdate } from '../contract/types.gen.ts'
import { conflict, invalidRequest, limitReached, notFound, nothingFound } from '../errors.ts'
import type { AppError } from '../errors.ts'
import { canonicalHost } from '../network.ts'
import { ownAddresses } from '../store/addresses/addresses.ts'
import type { Tx } from '../store/database.ts'
import { endPendingWebhookDeliveries, removeWebhookDeliveriesOf } from '../store/events/webhook-deliveries.ts'
import type { WebhookKey } from '../store/events/webhook-deliveries.ts'
import {
  findWebhook, findWebhookToChange, insertWebhook, lockWebhookUrls, removeWebhook, setWebhookMembers, toWebhook,
  toWebhookCreated,
} from '../store/events/webhooks.ts'
import type { StoredWebhook } from '../store/events/webhooks.ts'
import { enqueue } from '../store/jobs/jobs.ts'
import { plansWithApi } from '../store/schema/values.ts'
import type { Owner } from '../store/schema/values.ts'
import { newWebhookSecret } from '../webhook-secret.ts'
import { outsidePlan } from './plans.ts'

/** Maximum webhooks of an account and mode: their list has no pages. */
const maxWebhooks = 100

/** For this time after a rotation, deliveries are signed with the previous secret too. */
const rotationMs = dayMs

/**
 * Subscribes a URL to events.
 * @throws AppError `INVALID_REQUEST` for a URL that the public cannot reach, `NOT_FOUND` for an address, `CONFLICT` for the URL of
 * another webhook, or beyond `maxWebhooks`
 * @see spec "POST /api/v1/webhooks"
 */
export async function createWebhook(tx: Tx, app: Services, caller: Caller, input: WebhookCreate): Promise<WebhookCreated> {
  checkWebhook(app.network.webhooks, input)
  const secret = input.secret ?? newWebhookSecret()
  const others = await lockWebhookUrls(tx, caller)
  if (others.length >= maxWebhooks) throw limitReached('webhooks', maxWebhooks)
  const addressIds = await checkedAddresses(tx, caller, input.addressIds ?? null)
  checkEndpoint(others, input.url)
  const { url, events, form = 'both' } = input
  const { dialect } = caller
  return toWebhookCreated(await insertWebhook(tx, caller, { url, events: unique(events), addressIds, secret, form, dialect }))
}

/**
 * Changes the given members of a webhook. Disabling it gives up its pending deliveries.
 * @throws AppError `NOT_FOUND`, also for an address; `INVALID_REQUEST` for a URL that the public cannot reach; `CONFLICT` for the URL of
 * another webhook
 */
export async function updateWebhook(tx: Tx, app: Services, caller: Caller, id: string, input: WebhookUpdate): Promise<Webhook> {
  checkWebhook(app.network.webhooks, input)
  const before = await findToChange(tx, caller, id)
  const { url = before.url, events } = input
  if (endpointOf(url) !== endpointOf(before.url)) checkEndpoint(await lockWebhookUrls(tx, caller), url)
  const addressIds = input.addressIds === undefined ? undefined : await checkedAddresses(tx, caller, input.addressIds)
  await setWebhookMembers(tx, id, {
    url,
    events: events && unique(events),
    addressIds,
    form: input.form,
    ...(input.isActive && { isActive: true, disabledAt: null, disabledReason: null }),
  })
  if (input.isActive === false && before.isActive) await switchOff(tx, id, 'It was switched off.')
  return shownTo(caller, toWebhook(await findOwn(tx, caller, id)))
}

/**
 * Removes a webhook with its deliveries.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/webhooks/:id"
 */
export async function deleteWebhook(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!await removeWebhook(tx, caller, id)) throw notFound('webhook')
  await purgeDeliveries(tx, { accountId: caller.accountId, webhookId: id })
}

/**
 * Gives a webhook a new secret. The previous one signs too for `rotationMs`.
 * @throws AppError `NOT_FOUND`
 */
export async function rotateSecret(tx: Tx, caller: Caller, id: string): Promise<WebhookCreated> {
  const { secret } = await findToChange(tx, caller, id)
  await setWebhookMembers(tx, id, { secret: newWebhookSecret(), previousSecret: secret, previousSecretUntil: tx.now + rotationMs })
  return toWebhookCreated(await findOwn(tx, caller, id))
}

/** A webhook as its owner sees it: paused while the plan of the account has no webhooks. */
export const shownTo = ({ plan }: Caller, webhook: Webhook): Webhook => plansWithApi.includes(plan) || !webhook.isActive
  ? webhook
  : { ...webhook, isActive: false, disabledReason: `${outsidePlan('Webhooks', plan)} It goes on with that plan.` }

/** Disables a webhook until its owner enables it again, and gives up its pending deliveries. */
export async function switchOff(tx: Tx, id: string, reason: string): Promise<void> {
  await setWebhookMembers(tx, id, { isActive: false, disabledAt: tx.now, disabledReason: reason })
  await giveUpDeliveries(tx, { webhookId: id, before: tx.newId() })
}

/** Maximum deliveries that one transaction ends, so that it does not block others for long. */
const maxDeliveriesAtOnce = 250

/** Gives up deliveries that were pending when the webhook was disabled, some at a time. */
export async function giveUpDeliveries(tx: Tx, part: { webhookId: string, before: string }): Promise<void> {
  const reason = 'The webhook was disabled before this attempt.'
  const dropped = await endPendingWebhookDeliveries(tx, part.webhookId, { before: part.before, reason, limit: maxDeliveriesAtOnce })
  if (dropped === maxDeliveriesAtOnce) await enqueue(tx, 'give-up-deliveries', part)
}

/** Removes the deliveries of a deleted webhook, some at a time. */
export async function purgeDeliveries(tx: Tx, webhook: WebhookKey): Promise<void> {
  if (!await removeWebhookDeliveriesOf(tx, webhook, maxDeliveriesAtOnce)) await enqueue(tx, 'purge-deliveries', webhook)
}

/** @throws AppError `NOT_FOUND` */
export async function findOwn(tx: Tx, owner: Owner, id: string): Promise<StoredWebhook> {
  const found = await findWebhook(tx, owner, id)
  if (!found) throw notFound('webhook')
  return found
}

async function findToChange(tx: Tx, owner: Owner, id: string): Promise<StoredWebhook> {
  const found = await findWebhookToChange(tx, owner, id)
  if (!found) throw notFound('webhook')
  return found
}

/** @throws AppError `CONFLICT` when another webhook of the owner has this URL: an endpoint gets an event once (amplification, DoS) */
function checkEndpoint(webhooks: Pick<StoredWebhook, 'url'>[], url: string) {
  if (!webhooks.some((webhook) => endpointOf(webhook.url) === endpointOf(url))) return
  throw conflict('There is a webhook for this URL already. Change it, or delete it first.')
}

/**
 * The same for URLs that differ in the spelling of the host, the default port, the fragment or percent-encoding.
 * @see RFC 3986, section 6.2.2
 */
function endpointOf(text: string): string {
  const { protocol, hostname, port, pathname, search } = new URL(text)
  const path = (pathname + search).replaceAll(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
  return `${protocol}//${canonicalHost(hostname)}:${port}${path}`
}

/** @throws AppError `INVALID_REQUEST` for a URL that the public cannot reach */
export function checkWebhook({ refusalOf }: Pick<App['network']['webhooks'], 'refusalOf'>, { url }: Partial<Pick<WebhookCreate, 'url'>>) {
  const refusal = url === undefined ? undefined : refusalOf(url)
  if (refusal) throw invalidRequest('body.url', refusal, 'Give the public https address of your endpoint; on a server of your own, ' +
    'MAYFLY_ALLOW_PRIVATE_WEBHOOKS=true allows private addresses and http.')
}

/** @returns the ids in lower case, without duplicates. @throws AppError `NOT_FOUND` for an address that the owner does not have */
async function checkedAddresses(tx: Tx, owner: Owner, ids: string[] | null): Promise<string[] | null> {
  if (ids === null) return null
  const wanted = unique(ids.map((id) => id.toLowerCase()))
  const found = new Set(await ownAddresses(tx, owner, wanted))
  const missing = wanted.find((id) => !found.has(id))
  if (missing) throw noAddressOfWebhook(missing)
  return wanted
}

/** `NOT_FOUND` for an address whose events a webhook is to get. */
export const noAddressOfWebhook = (id: string): AppError => nothingFound(`body.addressIds: there is no address with the id ${id}.`)

const unique = <Item>(items: Item[]) => [...new Set(items)]
