import type { SigningKey } from '../../config/config.ts'

/**
 * Puts a DKIM signature (RFC 6376, section 3.5) before the header of a mail.
 * @param key null returns the mail unsigned
 * @param now milliseconds since 1970
 * @throws Error when the key cannot sign
 */
export async function signMail(source: Buffer, key: SigningKey | null, now: number): Promise<Buffer> {
  if (!key) return source
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js') // with the first signature, so that a server without a key starts faster
  const signer = { signingDomain: key.domain, selector: key.selector, privateKey: key.privateKey }
  const { signatures, errors } = await dkimSign(source, {
    ...signer, // mailauth's types require them here too
    signatureData: [signer],
    canonicalization: 'relaxed/relaxed',
    signTime: new Date(now),
  })
  if (errors[0]) throw new Error(`MAYFLY_DKIM_KEY: cannot sign, ${errors[0].err.message}`, { cause: errors[0].err })
  return Buffer.concat([Buffer.from(signatures), source])
}
