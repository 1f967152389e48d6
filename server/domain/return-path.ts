import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../context.ts'
import { dayMs } from '../durations.ts'
import type { ReturnPath } from '../envelope.ts'

/** No alias can have this character. */
const prefix = 'bounce='
/** Days for which delivery reports are accepted: a mail may wait for five days at each of two hosts. */
const validDays = 14

/** The envelope sender of a delivery: signed against forged reports, and valid for some days. */
export function returnPathOf(app: Pick<App, 'secret' | 'clock' | 'config'>, deliveryId: string): string {
  const id = deliveryId.replaceAll('-', '')
  const lastDay = Math.floor(app.clock.now() / dayMs) + validDays
  return `${prefix}${id}=${lastDay.toString(36)}=${sign(app.secret, id, lastDay)}@${app.config.defaultDomain}`
}

/** @returns undefined when it is no return path of this server, is forged, or has expired */
export function readReturnPath(app: Pick<App, 'secret' | 'clock'>, local: string): ReturnPath | undefined {
  const [, id, last, mac] = /^bounce=([0-9a-f]{32})=([0-9a-z]{1,6})=([0-9a-f]{16})$/.exec(local) ?? []
  if (!id || !last || !mac) return undefined
  const lastDay = parseInt(last, 36)
  if (lastDay < Math.floor(app.clock.now() / dayMs)) return undefined
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(sign(app.secret, id, lastDay)))) return undefined
  return { deliveryId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}

const sign = (secret: Buffer, id: string, lastDay: number) =>
  createHmac('sha256', secret).update(`return-path ${id} ${lastDay}`).digest('hex').slice(0, 16)
