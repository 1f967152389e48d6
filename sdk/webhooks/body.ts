import { MayflyError } from '../core/errors.ts'

/** A body as it was received. Node's `Buffer` is a `Uint8Array`. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

/** @throws MayflyError for any other type, such as the object that a framework has parsed */
export function readBody(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // not by instanceof: test runners have their own classes
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new MayflyError(
    'webhooks.verify needs the body as it was received, as text or bytes, and not the parsed JSON: the signature is that of its bytes. '
    + "Take await request.text(), or in Express the body of express.raw({ type: 'application/json' }).",
  )
}
