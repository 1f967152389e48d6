import addressparser from 'nodemailer/lib/addressparser'
import { maxAddressLength } from '../../mailbox.ts'
import { cleanText } from '../clean-text.ts'
import type { ParsedHeader } from '../parsed-message.ts'
import { decodeWords } from './encoded-words.ts'

/**
 * Reads the first mailbox of a From header, also of a group's members. Encoded words are decoded in the name only: an address inside
 * of one is not accepted (RFC 2047, section 5).
 */
export function readFrom(value: string): Pick<ParsedHeader, 'from' | 'fromName'> {
  const mailboxes = addressparser(value.slice(0, maxFromChars), { flatten: true })
  const mailbox = mailboxes.find(({ address }) => isAddress(address)) ?? mailboxes[0]
  if (!mailbox) return { from: '', fromName: '' }
  return {
    from: isAddress(mailbox.address) ? mailbox.address : '',
    fromName: cleanText(decodeWords(mailbox.name ?? '')).replace(/[\s\p{Cc}]+/gu, ' ').trim(),
  }
}

const maxFromChars = 8 * 1024

/** A quoted local part may contain spaces. */
const quotedLocalPart = /^"(?:[^"\\]|\\.)*"(?=@)/s

function isAddress(address: string | undefined): boolean {
  return !!address && address.length <= maxAddressLength && /^.+@[^@]+$/s.test(address)
    && !address.includes('=?') && !/[\p{Cc}\p{Cs}]/u.test(address) && !/\s/.test(address.replace(quotedLocalPart, ''))
}
