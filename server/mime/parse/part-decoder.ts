import { CR, LF } from '../../line-endings.ts'
import { openBase64 } from './base64.ts'
import { endOfPaddedLine, EQUALS, hexPair, maxLineEndBytes, maxTrimmedBytes, SPACE, TAB, transferEncoding } from './transfer-encoding.ts'
import { decodeUuencodedLines, maxUuencodedLineBytes } from './uuencode.ts'

/** Decodes a part that comes in pieces. All results, joined, are those of `decodeTransfer` for the whole part. */
export interface PartDecoder {
  /** Decodes the next piece, as far as later bytes cannot change the result. */
  push(piece: Buffer): Buffer
  end(): Buffer
}

/** @param encoding the encoding of a `PartRange` */
export function openDecoder(encoding: string): PartDecoder {
  return openers[transferEncoding(encoding)]()
}

const openers = {
  'base64': () => ({ ...openBase64(), end: () => nothing }),
  'quoted-printable': openQuotedPrintable,
  'uuencode': openUuencode,
  'identity': () => ({ push: (piece: Buffer) => piece, end: () => nothing }),
}

const nothing = Buffer.alloc(0)

function openQuotedPrintable(): PartDecoder {
  let rest: Buffer = nothing // begins after the last byte whose result is final

  function decode(body: Buffer, isEnd: boolean): Buffer {
    const out = Buffer.allocUnsafe(body.length)
    const end = isEnd ? body.length : body.length - maxLineEndBytes
    let length = 0
    let finalLength = 0 // without the white space at the end, which is removed when the line ends here
    let read = 0
    for (let i = 0; i < end;) {
      const byte = body[i]!
      if (byte === SPACE || byte === TAB) {
        out[length++] = byte
        i++
        if (length - finalLength <= maxTrimmedBytes) continue
      } else if (byte === EQUALS) {
        const value = hexPair(body, i + 1)
        const lineEnd = value < 0 ? endOfPaddedLine(body, i + 1) : 0
        if (lineEnd === 0) out[length++] = value < 0 ? byte : value
        i = lineEnd || i + (value < 0 ? 1 : 3)
      } else {
        if (byte === LF || (byte === CR && body[i + 1] === LF)) length = finalLength
        out[length++] = byte
        i++
      }
      finalLength = length
      read = i
    }
    rest = body.subarray(read)
    return out.subarray(0, isEnd ? length : finalLength)
  }

  return {
    push: (piece) => decode(rest.length > 0 ? Buffer.concat([rest, piece]) : piece, false),
    end: () => decode(rest, true),
  }
}

/** Decodes the lines between "begin" and "end". */
function openUuencode(): PartDecoder {
  let rest: Buffer = nothing // the beginning of a line

  return {
    push(piece) {
      const body = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      const lines = body.subarray(0, body.lastIndexOf(LF) + 1)
      // only the first bytes of a line count, so a long line takes no memory
      rest = Buffer.from(body.subarray(lines.length, lines.length + maxUuencodedLineBytes))
      return decodeUuencodedLines(lines)
    },
    end: () => decodeUuencodedLines(rest),
  }
}

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
