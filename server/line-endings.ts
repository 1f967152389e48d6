export const CR = 0x0d
export const LF = 0x0a

/** Replaces bare CR and LF by CRLF: SMTP allows no other line break (RFC 5321, section 2.3.8), and signatures cover the sent bytes. */
export const toCrlf = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n')

/** Does what `toCrlf` does to a text that comes in chunks. */
export interface CrlfStream {
  /** Converts the next chunk; returns the same buffer when nothing has to change. */
  convert(chunk: Buffer): Buffer
  /** Returns the LF that is missing at the end of the text, if any. */
  end(): Buffer
}

/** Against SMTP smuggling: where a text has a bare CR or LF, one program may see the end of a mail where another one sees a line of it. */
export function openCrlfStream(): CrlfStream {
  let afterCr = false
  return {
    convert(chunk) {
      if (chunk.length === 0) return chunk
      const missing = mayBeBare(chunk, afterCr) ? countMissing(chunk, afterCr) : 0
      const converted = missing === 0 ? chunk : insertMissing(chunk, afterCr, missing)
      // a CR at the end is kept as it is: the next chunk begins with its LF, or gets one
      afterCr = chunk[chunk.length - 1] === CR
      return converted
    },
    end: () => Buffer.from(afterCr ? '\n' : ''),
  }
}

/** Looks for each CR and LF by `indexOf`, which takes a third of the time of a loop over the bytes. */
function mayBeBare(chunk: Buffer, afterCr: boolean) {
  if (afterCr || chunk[0] === LF) return true
  const text = chunk.toString('latin1')
  for (let from = 0; ;) {
    const [cr, lf] = [text.indexOf('\r', from), text.indexOf('\n', from)]
    if (lf < 0) return cr >= 0 && cr < text.length - 1
    if (cr !== lf - 1) return true
    from = lf + 1
  }
}

function insertMissing(chunk: Buffer, afterCr: boolean, missing: number) {
  const converted = Buffer.allocUnsafe(chunk.length + missing)
  let length = 0
  let previous = afterCr ? CR : 0
  for (let i = 0; i < chunk.length; i++) {
    const byte = chunk[i]!
    if (isBare(previous, byte)) converted[length++] = previous === CR ? LF : CR
    converted[length++] = byte
    previous = byte
  }
  return converted
}

function countMissing(chunk: Buffer, afterCr: boolean) {
  let count = 0
  let previous = afterCr ? CR : 0
  for (let i = 0; i < chunk.length; i++) {
    const byte = chunk[i]!
    if (isBare(previous, byte)) count++
    previous = byte
  }
  return count
}

const isBare = (previous: number, byte: number) => (previous === CR) !== (byte === LF)

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
