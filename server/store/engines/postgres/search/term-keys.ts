import { hash } from 'node:crypto'

/** The mails among which a key finds those with a term. */
export interface KeyScope {
  ownerNumber: number
  isDeleted: boolean
  bucket: number
}

/**
 * Makes the keys of terms, by which mails are found: 64 bits of the term's hash, combined with those of its scope. Terms are hashed once
 * for all buckets.
 *
 * Keys may collide: a mail is then found by a term that it does not have. Every search compares the owner and `is_deleted` of the row, so
 * that it is a mail of the same owner. With 500,000 different terms in a bucket the probability is 3e-14 for each term and bucket of
 * a search.
 */
export function keysOf(terms: string[]): (scope: KeyScope) => bigint[] {
  const hashes = terms.map(hashOf)
  return ({ ownerNumber, isDeleted, bucket }) => {
    const scope = hashOf(`${ownerNumber}/${isDeleted ? 'd' : ''}/${bucket}`)
    return hashes.map((term) => term ^ scope)
  }
}

/** The keys of which each mail has one. */
export const keysOfEachMail = keysOf(['@received', '@sent'])

/** Numbers as a literal of an array of PostgreSQL. */
export const arrayLiteral = (numbers: readonly (bigint | number)[]) => `{${numbers.join(',')}}`

function hashOf(text: string): bigint {
  return hash('sha1', text, 'buffer').readBigInt64LE()
}
