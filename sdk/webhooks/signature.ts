import { MayflyError } from '../errors.ts'

const prefix = 'whsec_'

/** @throws MayflyError unless there is a secret, and each is one that `webhooks.create` may have shown */
export function readSecrets(secret: string | readonly string[], method: string): string[] {
  const secrets = [secret].flat().map((one) => typeof one === 'string' ? one.trim() : one)
  if (secrets.length === 0 || secrets.some((one) => !one)) {
    throw new MayflyError(`${method} needs the secret of the webhook, whsec_…, which was shown when the webhook was created`)
  }
  for (const one of secrets) {
    // neither is repeated here: errors are logged
    if (typeof one !== 'string' || !/^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(one)) {
      throw new MayflyError(`${method}: a secret is whsec_ and base64, such as the one that was shown when the webhook was created`)
    }
  }
  return secrets
}

/** The signature of Standard Webhooks: in base64, by what the secret encodes. */
export async function signStandard(secret: string, id: string, timestamp: string, body: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const message = new Uint8Array(head.length + body.length)
  message.set(head)
  message.set(body, head.length)
  const key = Uint8Array.from(atob(secret.slice(prefix.length)), (character) => character.charCodeAt(0))
  return btoa(String.fromCharCode(...await hmac(key, message)))
}

/** The signature of the API's own form: in hex, by the text of the secret. */
export async function signService(secret: string, body: Uint8Array): Promise<string> {
  const bytes = await hmac(new TextEncoder().encode(secret), body)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle
  if (!subtle) throw new MayflyError('There is no WebCrypto here: pages have it on https and on localhost')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', key as BufferSource, algorithm, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', imported, message as BufferSource))
}

/** In a time that does not tell where they differ. */
export function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i)
  return difference === 0
}
