import { createCipheriv } from 'node:crypto'
import type { Cipheriv } from 'node:crypto'

/** Bytes of a key of AES-256. */
export const keyBytes = 32
const blockBytes = 16

/**
 * Encrypts or decrypts a mail from an offset on: AES in counter mode (NIST SP 800-38A, section 6.5), so that a range needs no bytes before
 * it. The counter begins at 0, since no other mail has this key.
 */
export function cipherAt(key: Uint8Array, offset: number): Cipheriv {
  const counter = Buffer.alloc(blockBytes)
  counter.writeBigUInt64BE(BigInt(Math.floor(offset / blockBytes)), blockBytes / 2)
  const cipher = createCipheriv('aes-256-ctr', key, counter)
  cipher.update(Buffer.alloc(offset % blockBytes))
  return cipher
}
