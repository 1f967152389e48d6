/** Maximum pixels of an image that is shown. A browser holds 4 bytes for each, and a file of 30 bytes can have 268 million. */
export const maxPixels = 50_000_000

/**
 * Reads the size of an image from its header: the browser decodes its pixels only when it paints them.
 * @param owner the document that the image is loaded for
 * @returns 0 for a file that is no image, or cannot be loaded
 */
export async function countPixels(url: string, owner: Document): Promise<number> {
  const image = owner.createElement('img')
  const { promise, resolve } = Promise.withResolvers<Event>()
  image.addEventListener('load', resolve)
  image.addEventListener('error', resolve)
  image.src = url
  await promise
  return image.naturalWidth * image.naturalHeight
}
