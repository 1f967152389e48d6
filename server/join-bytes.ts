/** Joins pieces in a buffer of their own, which can be transferred to a thread. It is not filled with zeros first. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
  }
  return bytes
}
