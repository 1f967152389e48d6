import addressparser from 'nodemailer/lib/addressparser'
import { maxAddressLength } from '../../mailbox.ts'
import { cleanText } from '../clean-text.ts'
import { decodeWords } from './encoded-words.ts'

export interface Sender { from: string; fromName: string }

/**
 * The first mailbox of a From header, of a group's members if need be. Encoded words are decoded in the name
 * alone: an address that hides in one is no address (RFC 2047, section 5).
 */
export function readSender(value: string): Sender {
  const mailboxes = addressparser(value.slice(0, MAX_FROM), { flatten: true })
  const mailbox = mailboxes.find(({ address }) => isAddress(address)) ?? mailboxes[0]
  if (!mailbox) return { from: '', fromName: '' }
  return {
    from: isAddress(mailbox.address) ? mailbox.address : '',
    fromName: cleanText(decodeWords(mailbox.name ?? '')).replace(/[\s\p{Cc}]+/gu, ' ').trim(),
  }
}

const MAX_FROM = 8 * 1024

/** A local part in quotes may hold spaces. */
const QUOTED_LOCAL_PART = /^"(?:[^"\\]|\\.)*"(?=@)/s

function isAddress(address: string | undefined): boolean {
  return !!address && address.length <= maxAddressLength && /^.+@[^@]+$/s.test(address)
    && !address.includes('=?') && !/[\p{Cc}\p{Cs}]/u.test(address) && !/\s/.test(address.replace(QUOTED_LOCAL_PART, ''))
}
