import { MayflyError } from '../errors.ts'

/** A body as it came. Node's `Buffer` is a `Uint8Array`. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

/** @throws MayflyError when it is something else, most often what a framework has parsed */
export function readBody(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // not by instanceof: test runners have classes of their own
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new MayflyError(
    'webhooks.verify needs the body as it came, as text or bytes, not what was parsed from it: the signature is that of its bytes. '
    + "Take await request.text(), or in Express the body of express.raw({ type: 'application/json' }).",
  )
}
