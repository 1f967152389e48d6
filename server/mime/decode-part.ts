import { openDecoder } from './parse/part-decoder.ts'

/** Maximum encoded bytes that are decoded at once: in a tenth of a millisecond, and few milliseconds when the content is hostile. */
const maxPieceBytes = 64 * 1024

/**
 * Decodes a part while its bytes are read.
 * @param encoded the bytes of its `PartRange`
 * @param part.size of the decoded part; the result has at most as many bytes
 */
export async function* decodePart(
  encoded: AsyncIterable<Uint8Array>, { encoding, size }: { encoding: string, size: number },
): AsyncGenerator<Uint8Array> {
  const decoder = openDecoder(encoding)
  let missingBytes = size
  const take = (bytes: Buffer) => {
    const taken = bytes.subarray(0, missingBytes)
    missingBytes -= taken.length
    return taken
  }
  for await (const { buffer, byteOffset, length } of encoded) {
    const bytes = Buffer.from(buffer, byteOffset, length)
    for (let at = 0; at < length; at += maxPieceBytes) yield take(decoder.push(bytes.subarray(at, at + maxPieceBytes)))
  }
  yield take(decoder.end())
}
