/** One bit for each mail of a window, by its position. Its length is a multiple of four bytes, and bits behind the end are 0. */
export type Bitmap = Uint8Array

/** A copy with more bits set, and longer if necessary. */
export function withBits(bits: Bitmap, positions: readonly number[]): Bitmap {
  const end = positions.reduce((last, position) => Math.max(last, position + 1), 0)
  const copy = new Uint8Array(Math.max(bits.length, 4 * Math.ceil(end / 32)))
  copy.set(bits)
  for (const position of positions) copy[position >> 3]! |= 1 << (position & 7)
  return copy
}

/** The words of a bitmap: its bits as numbers of 32. Drivers may return bytes that are not aligned to them. */
export function wordsOf(bits: Bitmap): Uint32Array {
  const { buffer, byteOffset, length } = bits.byteOffset % 4 === 0 ? bits : bits.slice()
  return new Uint32Array(buffer, byteOffset, length >> 2)
}

/** Words of a bitmap that begin at `from`. */
export interface BitmapPart {
  words: Uint32Array
  from: number
}

/** Counts the bits that are set in each of the parts of a length. */
export function countCommon([first, ...others]: readonly BitmapPart[], length: number): number {
  let count = 0
  for (let i = 0; i < length; i++) {
    let word = first!.words[first!.from + i]!
    for (const other of others) word &= other.words[other.from + i]!
    for (; word !== 0; word &= word - 1) count++
  }
  return count
}

/** The bits that are set in each of the parts. */
export function intersect([first, ...others]: readonly BitmapPart[], length: number): Bitmap {
  const common = first!.words.slice(first!.from, first!.from + length)
  for (const { words, from } of others) for (let i = 0; i < length; i++) common[i]! &= words[from + i]!
  return new Uint8Array(common.buffer)
}

/** The positions of the bits that are set, in ascending order. */
export function positionsOf(bits: Bitmap): number[] {
  const positions: number[] = []
  for (const [i, byte] of bits.entries()) {
    for (let bit = 0; byte >> bit !== 0; bit++) if (byte >> bit & 1) positions.push(8 * i + bit)
  }
  return positions
}
