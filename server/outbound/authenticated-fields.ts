import type { RawHeaderField } from './mail-head.ts'

/** Maximum DKIM signatures that are checked: the last ones in the header, which were added first. */
const maxSignatures = 10
const maxFields = 2_000
/** Of one DKIM signature, and of one ARC field. */
const maxSignatureChars = 8 * 1024
/** Of all From fields. */
const maxAuthorsChars = 16 * 1024
/** RFC 8617, section 4.2.1, allows 50 sets of three fields. */
const maxArcFields = 150

/** Leaves out fields for which mailauth would take too long. */
export function chooseFields(fields: RawHeaderField[], isCut: boolean) {
  const [, ...below] = fields
  const authors = fields.filter(isAuthor)
  const arc = fields.filter(isArc)
  const isUnreadable = isCut || fields.length > maxFields || lengthOf(authors) > maxAuthorsChars
    || arc.length > maxArcFields || arc.some(isLong) || below.some(isNameless)
  if (isUnreadable) {
    return { fields: lengthOf(authors) > maxAuthorsChars ? [] : authors, isUnreadable, hasHashes: false }
  }
  const checked = new Set(fields.filter((field) => isSignature(field) && !isLong(field)).slice(-maxSignatures))
  return {
    fields: fields.filter((field) => !isNameless(field) && (!isSignature(field) || checked.has(field))),
    isUnreadable,
    hasHashes: checked.size > 0 || arc.length > 0,
  }
}

const isSignature = ({ name }: RawHeaderField) => name === 'dkim-signature'
const isArc = ({ name }: RawHeaderField) => name.startsWith('arc-')
const isNameless = ({ name }: RawHeaderField) => name === ''
const isAuthor = ({ name }: RawHeaderField) => name === 'from'
const isLong = ({ text }: RawHeaderField) => text.length > maxSignatureChars
const lengthOf = (fields: RawHeaderField[]) => fields.reduce((sum, { text }) => sum + text.length, 0)
