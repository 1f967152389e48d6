import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Bytes of a key of AES-256. */
export const keyBytes = 32
/** Bytes of a source that are encrypted together. A chunk of the database is a whole number of blocks, except the last one. */
export const blockBytes = 64 * 1024
const [algorithm, nonceBytes, tagBytes] = ['aes-256-gcm', 12, 16] as const

/** Bytes of the beginning of a source when it is encrypted: each block is followed by its tag. */
export const encryptedBytes = (bytes: number): number => bytes + Math.ceil(bytes / blockBytes) * tagBytes

/**
 * Encrypts blocks of a mail by AES-GCM (NIST SP 800-38D), each alone, so that a range is read and verified without the rest. The nonce is
 * the number of the block, since no other mail has this key.
 * @param first the number of the first block
 */
export function encryptBlocks(key: Uint8Array, first: number, bytes: Uint8Array): Buffer {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const cipher = createCipheriv(algorithm, key, nonceOf(first + at / blockBytes), { authTagLength: tagBytes })
    pieces.push(cipher.update(bytes.subarray(at, at + blockBytes)), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(pieces)
}

/** @throws Error when a block is not as it was encrypted, or has another number */
export function* decryptBlocks(key: Uint8Array, first: number, bytes: Uint8Array): Generator<Buffer> {
  for (let block = first, at = 0; at < bytes.length; block++, at += blockBytes + tagBytes) {
    const end = Math.min(at + blockBytes + tagBytes, bytes.length) - tagBytes
    const decipher = createDecipheriv(algorithm, key, nonceOf(block), { authTagLength: tagBytes })
    decipher.setAuthTag(bytes.subarray(end, end + tagBytes))
    yield Buffer.concat([decipher.update(bytes.subarray(at, end)), decipher.final()])
  }
}

function nonceOf(block: number) {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUInt32BE(block, nonceBytes - 4)
  return nonce
}
