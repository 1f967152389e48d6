import { readHeader } from './mail-head.ts'
import type { MailHeader, RawHeaderField } from './mail-head.ts'

/** Maximum DKIM signatures that are checked: the last ones in the header, which were added first. */
const maxSignatures = 10
const maxFields = 2_000
/** Of one DKIM signature, and of one ARC field. */
const maxSignatureChars = 8 * 1024
/** Of all From fields. */
const maxAuthorsChars = 16 * 1024
/** RFC 8617, section 4.2.1, allows 50 sets of three fields. */
const maxArcFields = 150

export interface ChosenFields {
  fields: RawHeaderField[]
  /** Whether the header exceeds a limit: its signatures are not checked. */
  isUnreadable: boolean
  /** Whether there are signatures to check; without them, the results depend on `authors` alone. */
  hasSignatures: boolean
  /** The From fields. */
  authors: RawHeaderField[]
}

/** Leaves out fields for which mailauth would take too long. */
export function chooseFields({ fields, isCut }: MailHeader): ChosenFields {
  const [, ...below] = fields
  const authors = fields.filter(isAuthor)
  const arc = fields.filter(isArc)
  const isUnreadable = isCut || fields.length > maxFields || charsOf(authors) > maxAuthorsChars
    || arc.length > maxArcFields || arc.some(isLong) || below.some(isNameless)
  if (isUnreadable) {
    const kept = charsOf(authors) > maxAuthorsChars ? [] : authors
    return { fields: kept, isUnreadable, hasSignatures: false, authors: kept }
  }
  const checked = new Set(fields.filter((field) => isSignature(field) && !isLong(field)).slice(-maxSignatures))
  return {
    fields: fields.filter((field) => !isNameless(field) && (!isSignature(field) || checked.has(field))),
    isUnreadable,
    hasSignatures: checked.size > 0 || arc.length > 0,
    authors,
  }
}

/** Maximum characters of the From fields by which results can be found again. */
const maxKeyChars = 1024

/**
 * The From fields of a mail without signatures: all of its source that its results depend on.
 * @returns null for a mail with signatures, and for one whose header exceeds a limit
 */
export function authorsOfUnsigned(source: Buffer): string | null {
  const { authors, isUnreadable, hasSignatures } = chooseFields(readHeader(source))
  return isUnreadable || hasSignatures || charsOf(authors) > maxKeyChars ? null : textOf(authors)
}

export const textOf = (fields: RawHeaderField[]) => fields.map(({ text }) => text).join('')

const isSignature = ({ name }: RawHeaderField) => name === 'dkim-signature'
const isArc = ({ name }: RawHeaderField) => name.startsWith('arc-')
const isNameless = ({ name }: RawHeaderField) => name === ''
const isAuthor = ({ name }: RawHeaderField) => name === 'from'
const isLong = ({ text }: RawHeaderField) => text.length > maxSignatureChars
const charsOf = (fields: RawHeaderField[]) => fields.reduce((sum, { text }) => sum + text.length, 0)
