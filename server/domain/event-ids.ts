import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto'
import type { App } from '../context.ts'
import type { Owner } from '../store/owner.ts'

/** Bytes of an id, one block of the cipher: a salt, then the number. */
const blockBytes = 16
const saltBytes = 8

/** Converts between the number of an event in the outbox and its id in a stream. */
export interface EventIds {
  /** The id of an event, always the same. */
  idOf(seq: number): string
  /** An id to begin after an event of any owner, another one each time: equal ones would tell that nothing happened in between. */
  idAfter(seq: number): string
  /** @returns undefined for text that is no id; a number beyond all events, nearly certainly, for an id of another owner */
  seqOf(id: string): number | undefined
}

/**
 * The ids of an owner's event streams: encrypted numbers of the outbox, which would show how many events other accounts have. An id
 * is one block of AES, so ECB is enough.
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
