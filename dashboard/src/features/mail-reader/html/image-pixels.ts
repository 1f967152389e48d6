import { pixelsInHeader } from './image-header.ts'

/** Maximum pixels of an image that is shown. A browser holds 4 bytes for each, and a file of 30 bytes can have 268 million. */
export const maxPixels = 50_000_000

/**
 * Reads the size of an image from its header: the browser decodes its pixels only when it paints them.
 * @param file the bytes of the image; undefined for one of another host, of which only the browser knows the size
 * @param owner the document that the image is loaded for
 * @returns 0 for a file that is no image, or cannot be loaded
 */
export async function countPixels(url: string, file: Blob | undefined, owner: Document): Promise<number> {
  const image = owner.createElement('img')
  const { promise, resolve } = Promise.withResolvers<Event>()
  image.addEventListener('load', resolve)
  image.addEventListener('error', resolve)
  image.src = url
  await promise
  const natural = image.naturalWidth * image.naturalHeight
  return natural > 0 && file ? Math.max(natural, await pixelsInHeader(file)) : natural
}
