import { mayfly } from '../../../api/session.ts'

/** @returns the first bytes of the source of a mail */
export async function readSource(emailId: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const reader = (await mayfly.emails.raw(emailId, { as: 'stream', signal })).getReader()
  const pieces: Uint8Array[] = []
  for (let left = maxBytes; left > 0;) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value.subarray(0, left))
    left -= value.length
  }
  await reader.cancel()
  return new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}
