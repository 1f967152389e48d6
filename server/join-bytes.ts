/** Joins pieces in a buffer of their own, which can be transferred to a thread. It is not filled with zeros first. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(lengthOf(pieces))
  copyPieces(pieces, bytes)
  return bytes
}

/** Copies pieces one after the other. @param to as long as they are together */
export function copyPieces(pieces: readonly Uint8Array[], to: Uint8Array): void {
  let end = 0
  for (const piece of pieces) {
    to.set(piece, end)
    end += piece.length
  }
}

export const lengthOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0)
