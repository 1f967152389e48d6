/** Formats without scripts or references, and the names that mails use for them; SVG has both. */
const rasterType = /^image\/(?:(?:x-)?png|p?jpe?g|gif|webp|avif|(?:x-ms-)?bmp)$/

/** First bytes of the formats, as characters of Latin-1. */
const signatures: [RegExp, string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^[^]{4}ftypavi[fs]/, 'image/avif'],
  [/^BM[^]{4}\0{4}/, 'image/bmp'],
]

/** @param type as a mail declares it, with parameters */
export const isRasterType = (type: string): boolean => rasterType.test(essenceOf(type))

/** @returns the media type without parameters, in lower case */
export const essenceOf = (type: string): string => type.split(';')[0]!.trim().toLowerCase()

/** @returns the media type of an image by its first bytes, whatever type was declared; undefined for anything else, such as SVG and HTML */
export async function imageTypeOf(file: Blob): Promise<string | undefined> {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  return signatures.find(([pattern]) => pattern.test(start))?.[1]
}
