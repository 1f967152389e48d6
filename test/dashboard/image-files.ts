import { crc32, deflateSync } from 'node:zlib'

/** Bytes of images, which declare sizes and have no more pixels than their headers need. */

type Size = readonly [width: number, height: number]

const u16 = (n: number) => Buffer.from([n >> 8, n & 0xff])
const u32 = (n: number) => Buffer.from(Uint32Array.of(n).buffer).swap32()
const le16 = (n: number) => u16(n).swap16()
const le32 = (n: number) => u32(n).swap32()
const ascii = (text: string) => Buffer.from(text, 'latin1')

/**
 * EXIF data by which a browser shows an image of `resolution` / 72 times this size in this size.
 * @see CIPA DC-008; HTML, "density-corrected natural width and height"
 */
export function exifOf([width, height]: Size, resolution: number, orientation = 1): Buffer {
  const short = (tag: number, value: number) => Buffer.concat([u16(tag), u16(3), u32(1), u16(value), u16(0)])
  const long = (tag: number, value: number, type = 4) => Buffer.concat([u16(tag), u16(type), u32(1), u32(value)])
  const ratiosAt = 74 // header, count, 5 entries of 12 bytes, end
  return Buffer.concat([
    ascii('MM\0*'), u32(8), u16(5),
    short(0x112, orientation), long(0x11a, ratiosAt, 5), long(0x11b, ratiosAt + 8, 5), short(0x128, 2), long(0x8769, ratiosAt + 16), u32(0),
    u32(resolution), u32(1), u32(resolution), u32(1),
    u16(2), long(0xa002, width), long(0xa003, height), u32(0),
  ])
}

const segment = (marker: number, ...content: Buffer[]) => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([Buffer.from([0xff, marker]), u16(bytes.length + 2), bytes])
}

/** APP1 with EXIF data. */
export const app1 = (exif: Buffer): Buffer => segment(0xe1, ascii('Exif\0\0'), exif)

export const frameHeader = ([width, height]: Size): Buffer =>
  segment(0xc0, Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0]))

export function jpegOf(...headers: Buffer[]): Buffer {
  const codes = (kind: number) => segment(0xc4, Buffer.from([kind, 1]), Buffer.alloc(16))
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]), ...headers, segment(0xdb, Buffer.from([0]), Buffer.alloc(64, 1)), codes(0), codes(0x10),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.alloc(64), Buffer.from([0xff, 0xd9]),
  ])
}

const pngChunk = (type: string, content: Buffer) => {
  const bytes = Buffer.concat([ascii(type), content])
  return Buffer.concat([u32(content.length), bytes, u32(crc32(bytes))])
}

export const ihdr = ([width, height]: Size): Buffer => pngChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([1, 0, 0, 0, 0])]))

export const pngOf = (...chunks: Buffer[]): Buffer => Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, pngChunk('IDAT', deflateSync(Buffer.alloc(100))), pngChunk('IEND', Buffer.alloc(0)),
])

export const exifChunk = (exif: Buffer): Buffer => pngChunk('eXIf', exif)

/** A frame of black pixels that take no bits. @see RFC 9649 */
export const vp8l = ([width, height]: Size): Buffer =>
  Buffer.concat([ascii('VP8L\x10\0\0\0\x2f'), le32(width - 1 | height - 1 << 14), Buffer.from('8888080000000000000000', 'hex')])

export const vp8x = ([width, height]: Size, flags = 0): Buffer =>
  Buffer.concat([ascii('VP8X'), le32(10), le32(flags), le32(width - 1).subarray(0, 3), le32(height - 1).subarray(0, 3)])

export const webpOf = (...chunks: Buffer[]): Buffer => {
  const bytes = Buffer.concat([ascii('WEBP'), ...chunks])
  return Buffer.concat([ascii('RIFF'), le32(bytes.length), bytes])
}

export const webpExif = (exif: Buffer): Buffer => Buffer.concat([ascii('EXIF'), le32(exif.length), exif, Buffer.alloc(exif.length % 2)])

export const gifOf = ([width, height]: Size, frame: Size): Buffer => Buffer.concat([
  ascii('GIF89a'), le16(width), le16(height), Buffer.from([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x2c]),
  le16(0), le16(0), le16(frame[0]), le16(frame[1]), Buffer.from([0, 2, 2, 0x4c, 1, 0, 0x3b]),
])

export const bmpOf = ([width, height]: Size): Buffer => Buffer.concat([
  ascii('BM'), le32(1_000), le32(0), le32(62), le32(40), le32(width), le32(height), le16(1), le16(1), Buffer.alloc(1_000),
])

/** An icon whose directory declares 16 pixels a side. */
export const icoOf = (image: Buffer): Buffer => Buffer.concat([
  le16(0), le16(1), le16(1), Buffer.from([16, 16, 0, 0]), le16(1), le16(32), le32(image.length), le32(22), image,
])
