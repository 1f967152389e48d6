import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto'
import type { App } from '../context.ts'
import type { Owner } from '../store/owner.ts'

/** An id is one block of AES: a salt, then the number. */
const blockBytes = 16
const saltBytes = 8

/** Converts between the number of an event in the outbox and its id in a stream. */
export interface EventIds {
  /** The id of an event; its salt is 0, so the id is always the same. */
  idOf(seq: number): string
  /** An id of a position in the outbox. Its salt is random: with equal ids a reader could tell that no account had an event in between. */
  idAfter(seq: number): string
  /** @returns undefined for malformed text. An id of another owner decrypts to a random number, almost certainly above all events. */
  seqOf(id: string): number | undefined
}

/**
 * Encrypts the numbers of the outbox for an owner: in the clear they would show how many events other accounts have. ECB is safe for a
 * single block.
 */
export function eventIdsOf({ secret }: Pick<App, 'secret'>, { accountId, mode }: Owner): EventIds {
  const key = createHmac('sha256', secret).update(`event-ids ${accountId} ${mode}`).digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const encrypt = (block: Buffer, seq: number) => {
    block.writeBigUInt64BE(BigInt(seq), saltBytes)
    return cipher.update(block).toString('base64url')
  }
  return {
    idOf: (seq) => encrypt(Buffer.alloc(blockBytes), seq),
    idAfter: (seq) => encrypt(randomFillSync(Buffer.alloc(blockBytes), 0, saltBytes), seq),
    seqOf(id) {
      if (!/^[\w-]{22}$/.test(id)) return undefined
      return Number(decipher.update(Buffer.from(id, 'base64url')).readBigUInt64BE(saltBytes))
    },
  }
}
