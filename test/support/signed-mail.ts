import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import type { SigningKey } from '../../server/config/config.ts'

export interface KeyPair extends SigningKey {
  /** The TXT record of the public key, and the name of the record. */
  record: string
  name: string
}

/** A DKIM key of a domain, and its DNS record. */
export function newKey(domain: string, { type = 'rsa', bits = 2048, selector = 's1' }: { type?: 'rsa' | 'ed25519', bits?: number, selector?: string } = {}): KeyPair {
  const { privateKey, publicKey } = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: bits }) : generateKeyPairSync('ed25519')
  const der = publicKey.export({ type: 'spki', format: 'der' })
  // RFC 8463: an Ed25519 key is published as its raw bytes
  const p = (type === 'rsa' ? der : der.subarray(-32)).toString('base64')
  return {
    domain,
    selector,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    record: `v=DKIM1; k=${type}; p=${p}`,
    name: `${selector}._domainkey.${domain}`,
  }
}

/** Adds a signature by each key on top of a mail. */
export async function signWith(source: string | Buffer, ...keys: SigningKey[]): Promise<Buffer> {
  let signed = Buffer.from(source)
  for (const { domain, selector, privateKey } of keys) {
    const signer = { signingDomain: domain, selector, privateKey }
    const { signatures } = await dkimSign(signed, { ...signer, canonicalization: 'relaxed/relaxed', signatureData: [signer] })
    signed = Buffer.concat([Buffer.from(signatures), signed])
  }
  return signed
}
