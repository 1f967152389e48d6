import addressparser from 'nodemailer/lib/addressparser'
import { maxAddressLength } from '../../mailbox.ts'
import { cleanText } from '../clean-text.ts'
import type { ParsedHeader } from '../parsed-message.ts'
import { decodeWords } from './encoded-words.ts'

/**
 * Reads the first mailbox with an address in the From fields, also of a group's members. Encoded words are decoded in the name only: an
 * address inside of one is not accepted (RFC 2047, section 5).
 */
export function readFrom(...values: string[]): Sender {
  let first: Sender | undefined
  for (const value of values.slice(0, maxFields)) {
    for (const mailbox of addressparser(withPairedQuotes(value.slice(0, maxFromChars)), { flatten: true })) {
      const sender = readMailbox(mailbox)
      if (sender.from) return sender
      first ??= sender
    }
  }
  return first ?? { from: '', fromName: '' }
}

type Sender = Pick<ParsedHeader, 'from' | 'fromName'>

/** Name and address may be in the place of the other: `<Jane Doe>jane@example.org`. */
function readMailbox({ address = '', name = '' }: { address?: string, name?: string }): Sender {
  const inBrackets = plainAddress(address)
  const from = inBrackets || plainAddress(name)
  const fromName = cleanText(decodeWords(inBrackets || !from ? name : address)).replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return { from, fromName }
}

/** @returns '' when it is no address */
function plainAddress(text: string): string {
  const address = text.replace(/^mailto:([^?]*).*$/is, '$1').replace(/^\[(.*)\]$/s, '$1').replace(/^<+|>+$/g, '')
  return isAddress(address) ? address : ''
}

/** Without its quotes when one of them is missing: they would enclose the address. */
const withPairedQuotes = (value: string) => (value.match(/\\.|"/gs) ?? []).filter((mark) => mark === '"').length % 2 === 0 ? value : value.replaceAll('"', '')

const maxFields = 5
const maxFromChars = 8 * 1024

/** A quoted local part may contain spaces. */
const quotedLocalPart = /^"(?:[^"\\]|\\.)*"(?=@)/s

function isAddress(address: string): boolean {
  return address.length <= maxAddressLength && /^.+@[^@]+$/s.test(address)
    && !address.includes('=?') && !/[\p{Cc}\p{Cs}]/u.test(address) && !/\s/.test(address.replace(quotedLocalPart, ''))
}
