import { createHmac, timingSafeEqual } from 'node:crypto'
import { dayMs } from '../clock.ts'
import type { App } from '../context.ts'
import type { ReturnPath } from '../envelope.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import type { Tx } from '../store/database.ts'
import { readFormerSecrets } from '../store/secrets.ts'
import { lockMailDelivery, updateMailDelivery } from '../store/outgoing/mail-deliveries.ts'

/** No alias can have this character. */
export const returnPathPrefix = 'bounce='
/** Days for which delivery reports are accepted: a mail may wait for five days at each of two hosts. */
const validDays = 14

/** The envelope sender of a delivery: signed against forged reports, and valid for some days. */
export function returnPathOf(app: Pick<App, 'secret' | 'clock' | 'config'>, deliveryId: string): string {
  const id = deliveryId.replaceAll('-', '')
  const lastDay = Math.floor(app.clock.now() / dayMs) + validDays
  return `${returnPathPrefix}${id}=${lastDay.toString(36)}=${sign(app.secret, id, lastDay)}@${app.config.defaultDomain}`
}

/** @returns undefined when it is no return path of this server, is forged, or has expired */
export async function readReturnPath(app: Pick<App, 'secret' | 'clock' | 'db'>, local: string): Promise<ReturnPath | undefined> {
  const [, id, last, mac] = /^bounce=([0-9a-f]{32})=([0-9a-z]{1,6})=([0-9a-f]{16})$/.exec(local) ?? []
  if (!id || !last || !mac) return undefined
  const lastDay = parseInt(last, 36)
  if (lastDay < Math.floor(app.clock.now() / dayMs)) return undefined
  const isSignedBy = (secret: Buffer) => timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, id, lastDay)))
  if (!isSignedBy(app.secret) && !(await readFormerSecrets(app.db)).some(isSignedBy)) return undefined
  return { deliveryId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}

const sign = (secret: Buffer, id: string, lastDay: number) =>
  createHmac('sha256', secret).update(`return-path ${id} ${lastDay}`).digest('hex').slice(0, 16)

/**
 * Marks a delivery as failed when a delivery report (RFC 3464, section 2) to its return path says so. Other mail to a return path is
 * dropped: its recipient is no mailbox.
 */
export async function recordBounce(tx: Tx, deliveryId: string, { deliveryReport: report }: ParsedMessage): Promise<void> {
  if (report?.action !== 'failed') return
  const delivery = await lockMailDelivery(tx, deliveryId)
  // a mail that never left this host cannot bounce
  if (!delivery || delivery.status === 'captured' || delivery.status === 'failed') return
  await updateMailDelivery(tx, deliveryId, { status: 'failed', nextAt: null, failureReason: report.reason })
}
