import { MayflyError } from '../core/errors.ts'

/** @throws MayflyError when there is no secret, or one is none that `webhooks.create` takes */
export function readSecrets(secret: string | readonly string[], method: string): string[] {
  // without the line feed of a file or a shell
  const secrets = [secret].flat().map((value) => typeof value === 'string' ? value.replace(/^[\r\n]+|[\r\n]+$/g, '') : value)
  if (secrets.length === 0 || secrets.some((value) => !value || typeof value === 'string' && !value.trim())) {
    throw new MayflyError(`${method} needs the secret of the webhook, whsec_…, which was shown when the webhook was created`)
  }
  for (const value of secrets) {
    // the message does not repeat the secret: errors are logged
    if (typeof value !== 'string' || !/^[^\p{Cc}\p{Cs}]{8,200}$/u.test(value)) {
      throw new MayflyError(`${method}: a secret has 8 to 200 characters, such as the one that was shown when the webhook was created`)
    }
  }
  return secrets
}

/** The signature of Standard Webhooks, in base64. Its key is the bytes that the secret encodes after `whsec_`, else its text. */
export async function signStandard(secret: string, id: string, timestamp: string, body: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const message = new Uint8Array(head.length + body.length)
  message.set(head)
  message.set(body, head.length)
  const base64 = /^whsec_(([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))$/.exec(secret)?.[1]
  const key = base64 === undefined ? new TextEncoder().encode(secret) : Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
  return btoa(String.fromCharCode(...await hmac(key, message)))
}

/** The signature in `X-Service-Signature`, in hex: its key is the text of the secret. */
export async function signService(secret: string, body: Uint8Array): Promise<string> {
  return toHex(await hmac(new TextEncoder().encode(secret), body))
}

/** SHA-256 in hex. */
export async function digestOf(body: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await requireWebCrypto().digest('SHA-256', body as BufferSource)))
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const subtle = requireWebCrypto()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', key as BufferSource, algorithm, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', imported, message as BufferSource))
}

/** @throws MayflyError in a web page over plain HTTP */
export function requireWebCrypto(): SubtleCrypto {
  const subtle = globalThis.crypto?.subtle
  if (!subtle) throw new MayflyError('There is no WebCrypto here: web pages have it on https and on localhost')
  return subtle
}

/** Compares in constant time, against timing attacks. */
export function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
