import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../context.ts'
import type { Envelope } from '../envelope.ts'
import { addressForms, comparedAddress } from '../mailbox.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { mailDate } from '../mime/write/report.ts'
import type { ActiveRule } from '../store/addresses/addresses.ts'
import type { Tx } from '../store/database.ts'
import { countedLater } from '../store/outgoing/mail-counts.ts'
import { findForwarded, insertMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import type { MailDelivery } from '../store/outgoing/mail-deliveries.ts'
import type { Tenant } from '../store/schema/values.ts'
import { readSecret } from '../store/secrets.ts'

/** Maximum `Received` fields of a mail that is forwarded: more are a loop (RFC 5321, section 6.3). */
const maxHops = 30

const loopHeader = 'X-Mayfly-Loop'

/**
 * Records a forward of a received mail that matches the rule. It is queued once the mail is authenticated.
 * @returns whether the mail will be forwarded; a mail loop is recorded as failed
 */
export async function planForward(
  tx: Tx, rule: Tenant & ActiveRule, mail: { emailId: string, messageId: string, parsed: ParsedMessage },
): Promise<boolean> {
  if (rule.forwardTo === null || !matches(rule, mail.parsed)) return false
  const failureReason = await loopIn(tx, mail.parsed)
  await insertMailDelivery(tx, rule, {
    kind: 'forward', emailId: mail.emailId, messageId: mail.messageId, recipient: rule.forwardTo, failureReason,
  }, countedLater)
  return failureReason === undefined
}

/** Filters are parts of the sender and of the subject, in any case. */
function matches({ filterSender, filterSubject }: ActiveRule, { from, fromName, subject }: ParsedMessage) {
  const has = (text: string, part: string | null) => part === null || text.toLowerCase().includes(part.toLowerCase())
  return isSender(filterSender ?? '', from, fromName) && has(subject, filterSubject)
}

/** A filter with an `@` compares the address, its end or all of it: the name is any text of the sender, such as an address (spoofing). */
function isSender(filter: string, address: string, name: string) {
  const [wanted, compared] = [comparedAddress(filter), comparedAddress(address)]
  if (filter.startsWith('@')) return compared.endsWith(wanted)
  if (filter.includes('@')) return compared === wanted
  return [...addressForms(address), name.toLowerCase()].some((text) => text.includes(filter.toLowerCase()))
}

/** @returns the sentence of a mail loop; undefined for a mail that may be forwarded */
export async function loopIn(tx: Tx, { headers }: Pick<ParsedMessage, 'headers'>): Promise<string | undefined> {
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.split('\n')]))
  if ((values.get('received')?.length ?? 0) > maxHops) {
    return `Not forwarded: this mail was passed on more than ${maxHops} times, so it goes round in circles.`
  }
  const loops = values.get(loopHeader.toLowerCase())
  if (!loops) return undefined
  const secret = await readSecret(tx)
  if (!loops.some((value) => isOurs(secret, value))) return undefined
  return 'Not forwarded: this server forwarded this mail before, so it goes round in circles.'
}

/**
 * The header fields that are prepended to a forwarded mail: ARC seal and trace. Empty for other mail.
 * @returns undefined when the mail is removed
 */
export async function forwardHeader(app: Pick<App, 'db' | 'config' | 'secret'>, delivery: MailDelivery): Promise<Buffer | undefined> {
  if (delivery.kind !== 'forward') return Buffer.alloc(0)
  const forwarded = await findForwarded(app.db, delivery)
  if (!forwarded) return undefined
  const { helo, remoteAddress } = JSON.parse(forwarded.envelope) as Envelope
  const { mxHost } = app.config
  const client = remoteAddress ? `${token(helo)} (${token(remoteAddress)})` : mxHost
  const lines = [
    `Received: from ${client}\r\n by ${mxHost} with ESMTP id ${delivery.id};\r\n ${mailDate(forwarded.receivedAt)}`,
    `X-Forwarded-To: ${delivery.recipient}`,
    `X-Forwarded-For: ${forwarded.address} ${delivery.recipient}`,
    `${loopHeader}: ${loopMark(app.secret, delivery.id)}`,
  ]
  return Buffer.from((forwarded.arc ?? '') + lines.map((line) => `${line}\r\n`).join(''))
}

/** The HELO name or IP address of the client, without characters that end a line or begin a comment (header injection). */
const token = (text: string) => text.replace(/[^\w.:[\]-]/g, '').slice(0, 255) || 'unknown'

/** The value of `X-Mayfly-Loop`, by which this server recognizes a mail that it has forwarded. */
const loopMark = (secret: Buffer, deliveryId: string) => `${deliveryId} ${sign(secret, deliveryId)}`

function isOurs(secret: Buffer, value: string) {
  const [, deliveryId, mac] = /^([0-9a-f-]{36}) ([0-9a-f]{32})$/.exec(value.trim()) ?? []
  return deliveryId && mac ? timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, deliveryId))) : false
}

const sign = (secret: Buffer, deliveryId: string) =>
  createHmac('sha256', secret).update(`loop ${deliveryId}`).digest('hex').slice(0, 32)
