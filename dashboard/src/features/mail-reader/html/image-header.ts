import { imageTypeOf } from './image-types.ts'

/**
 * Reads the number of pixels from the header of an image that a browser decodes. The natural size of an image is not enough: EXIF data of
 * a resolution make it smaller (HTML, "density-corrected natural width and height").
 * @returns 0 for a format that has no EXIF data, whose natural size is that of its pixels, and for a file that is cut off in its header
 */
export async function pixelsInHeader(file: Blob): Promise<number> {
  const read = readers[await imageTypeOf(file) ?? '']
  const view = read && new DataView(await file.arrayBuffer())
  return view && view.byteLength >= minBytes ? read(view) : 0
}

/** As many as the readers of formats with fixed places need. */
const minBytes = 30

const readers: Record<string, (view: DataView) => number> = {
  'image/jpeg': pixelsOfJpeg,
  'image/png': (view) => view.getUint32(16) * view.getUint32(20), // IHDR has to be the first chunk
  'image/webp': pixelsOfWebp,
  'image/avif': pixelsOfAvif,
}

/** Markers without a length: TEM, RST0 to RST7 and SOI. */
const hasNoLength = (marker: number) => marker === 0x01 || marker >= 0xd0 && marker <= 0xd8

/** SOF0 to SOF15, without DHT, JPG and DAC, which stand between them. */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const startOfScan = 0xda

/**
 * The largest frame header before the first scan. Segments are skipped by their length: APP1 may hold a thumbnail with markers of its own.
 */
function pixelsOfJpeg(view: DataView): number {
  let pixels = 0
  for (let at = 0; at + 9 <= view.byteLength;) {
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff || marker === 0 || marker === 0xff) at++ // fill bytes
    else if (marker === startOfScan) break
    else {
      if (isFrameHeader(marker)) pixels = Math.max(pixels, view.getUint16(at + 5) * view.getUint16(at + 7))
      at += hasNoLength(marker) ? 2 : 2 + view.getUint16(at + 2)
    }
  }
  return pixels
}

/** By the first chunk: the canvas of VP8X, else the frame. @see RFC 9649 */
function pixelsOfWebp(view: DataView): number {
  const chunk = String.fromCharCode(...new Uint8Array(view.buffer, 12, 4))
  if (chunk === 'VP8X') return ((view.getUint32(24, true) & 0xff_ffff) + 1) * ((view.getUint32(26, true) >>> 8) + 1)
  if (chunk === 'VP8 ') return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff)
  const sides = view.getUint32(21, true)
  return ((sides & 0x3fff) + 1) * ((sides >>> 14 & 0x3fff) + 1)
}

/** The largest of the sizes of all items (`ispe`, ISO/IEC 23008-12, section 6.5.3). */
function pixelsOfAvif(view: DataView): number {
  let pixels = 0
  for (const { index } of new TextDecoder('latin1').decode(view).matchAll(/ispe/g)) {
    if (index + 16 <= view.byteLength) pixels = Math.max(pixels, view.getUint32(index + 8) * view.getUint32(index + 12))
  }
  return pixels
}
