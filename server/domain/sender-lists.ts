import type { AddressUpdate } from '../contract/types.gen.ts'
import type { Recipient } from '../envelope.ts'
import { invalidRequest, MailRefusedError } from '../errors.ts'
import { lengthOf, LF } from '../line-endings.ts'
import { comparedAddress, domainPart, faultOfSender } from '../mailbox.ts'
import { mimeLimits } from '../mime/limits.ts'
import { headerGoesOn } from '../mime/parse/header-block.ts'
import { readHeadersOnly } from '../mime/read-message.ts'
import { findSenderLists } from '../store/addresses/sender-lists.ts'
import type { SenderLists } from '../store/addresses/sender-lists.ts'
import type { Database } from '../store/database.ts'

/** Validates the lists that are given. @returns them in the form in which they are compared @throws AppError `INVALID_REQUEST` */
export function senderListsOf({ allowedSenders, blockedSenders }: AddressUpdate): Partial<SenderLists> {
  return {
    ...allowedSenders !== undefined && { allowed: patternsOf('allowedSenders', allowedSenders ?? []) },
    ...blockedSenders !== undefined && { blocked: patternsOf('blockedSenders', blockedSenders ?? []) },
  }
}

function patternsOf(member: keyof AddressUpdate, given: string[]): string[] {
  const patterns = given.map((pattern, index) => {
    const example = pattern.replace(/^@(?:\*\.)?/, 'a@') // an address that it matches
    if (!example.includes('*') && !faultOfSender(example)) return comparedAddress(pattern)
    throw invalidRequest(`body.${member}.${index}`, 'must be an address (a@shop.example), a domain (@shop.example), or the subdomains of one (@*.shop.example)')
  })
  const list = [...new Set(patterns)]
  if (Buffer.byteLength(JSON.stringify(list)) <= maxListBytes) return list
  throw invalidRequest(`body.${member}`, `must have at most ${maxListBytes} bytes of JSON`)
}

/** Maximum bytes of the JSON of a list: clients read a page of 100 addresses with two such lists each. */
const maxListBytes = 2_500

/**
 * Refuses mail of a blocked sender at RCPT. The sender of the envelope decides nothing else: many shops send by a service whose own domain
 * it has, so a list of allowed senders would refuse their mail; and it is not shown, so it would let in mail whose From field names
 * anyone. The null sender is on no list.
 * @param sender that of MAIL @throws SenderRefusedError
 */
export async function refuseBlockedSender(db: Database, addressId: string, sender: string): Promise<void> {
  const { blocked = [] } = (await findSenderLists(db, [addressId])).get(addressId) ?? {}
  if (isListed(blocked, sender)) throw new SenderRefusedError(addressId, sender, 'The recipient takes no mail of this sender')
}

/**
 * Finds the recipients that do not take a mail because of its From field, which readers see and filters compare: it must not be a blocked
 * sender, and must be an allowed one where there are any. A list of allowed senders refuses mail without a readable address in that
 * field; either list refuses a header that goes on without one, as the email would show the address in the rest. Anyone can write any
 * From field, as any envelope: only `authentication` proves it.
 * @param start the first bytes of the mail
 * @returns undefined when all recipients take it
 */
export async function refusalByFrom(db: Database, recipients: Recipient[], start: Uint8Array[]): Promise<SenderRefusal | undefined> {
  const limited = recipients.filter(({ hasSenders }) => hasSenders)
  const lists = await findSenderLists(db, limited.map(({ addressId }) => addressId))
  const { bytes, goesOn } = beginningOf(start)
  const { from } = readHeadersOnly(bytes, null)
  const isUnknown = goesOn && !/^[ -~]+$/.test(from) // the rest may name the charset of others
  const refusing = limited.filter(({ addressId }) => {
    const { allowed, blocked } = lists.get(addressId) ?? { allowed: [], blocked: [] } // removed meanwhile
    return blocked.length > 0 && (isUnknown || isListed(blocked, from)) || allowed.length > 0 && (isUnknown || !isListed(allowed, from))
  })
  if (!refusing[0]) return undefined
  const error = new SenderRefusedError(refusing[0].addressId, from, 'The recipient takes no mail of the sender in the From field')
  return { recipients: refusing, error }
}

/** Lines of a header in which its From field is searched: of as many bytes, many short lines take the longest. */
const maxLines = 1_000

/**
 * The beginning of a mail in which its From field is searched. Of a header that goes on after it, it has no last field that may go on, too:
 * a sender of which a part is missing could be an allowed one.
 */
function beginningOf(start: Uint8Array[]): { bytes: Buffer, goesOn: boolean } {
  const length = lengthOf(start)
  const bytes = Buffer.concat(start, Math.min(length, mimeLimits.headersOnlyBytes))
  let end = 0
  for (let line = 0; line < maxLines && end < bytes.length; line++) end = (bytes.indexOf(LF, end) + 1) || bytes.length
  if (end === length) return { bytes, goesOn: false }
  do end = bytes.subarray(0, end - 1).lastIndexOf(LF) + 1
  while (end > 0 && isWhite(bytes[end]))
  const fields = bytes.subarray(0, end)
  return headerGoesOn(fields) ? { bytes: fields, goesOn: true } : { bytes, goesOn: false }
}

const isWhite = (byte: number | undefined) => byte === 0x20 || byte === 0x09

function isListed(patterns: string[], sender: string): boolean {
  const address = comparedAddress(sender)
  return patterns.some((pattern) => isOf(pattern, address))
}

function isOf(pattern: string, address: string): boolean {
  if (pattern.startsWith('@*.')) return domainPart(address).endsWith(pattern.slice('@*'.length))
  return pattern.startsWith('@') ? address.endsWith(pattern) : address === pattern
}

/** The recipients of a mail that do not take its sender. */
export interface SenderRefusal {
  recipients: Recipient[]
  error: SenderRefusedError
}

/** A mail whose sender an address does not take. */
export class SenderRefusedError extends MailRefusedError {
  /** The sender that was compared. */
  readonly sender: string

  constructor(addressId: string, sender: string, text: string) {
    super(
      'CONFLICT', 'The address takes no mail of this sender, by its allowedSenders or blockedSenders. Change them, or send from another address.',
      { code: 550, status: '5.7.1', text }, addressId)
    this.sender = sender
  }
}
