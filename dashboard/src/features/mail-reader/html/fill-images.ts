import type { Email } from '@mayfly-mail/sdk'
import type { openAttachment } from '../attachment-file.ts'
import { countPixels, maxPixels } from './image-pixels.ts'
import { imageTypeOf } from './image-types.ts'
import { imageAttributes, imageVariable } from './sanitise.ts'
import { fileOfData } from './urls.ts'
import type { MailImage } from './urls.ts'

/** Maximum total of the images within one mail. */
const maxInlineBytes = 20 * 1024 * 1024

/** Maximum images within one mail; each is a request. */
const maxInlineImages = 100

/** Maximum pixels of all images of a mail. */
const maxPixelsInAll = 2 * maxPixels

/**
 * Gives the elements and styles of a mail their images, once its document is there: those in attachments, those within its HTML, and those
 * of other hosts, which `sanitise.ts` has in its list only if they are allowed. Images with too many pixels are not shown.
 * @param open loads an attachment
 * @param signal ends it, and frees the memory of the images
 */
export async function fillImages(
  shown: Document, images: MailImage[], email: Pick<Email, 'id' | 'attachments'>, open: typeof openAttachment, signal: AbortSignal,
) {
  const attachments = chooseAttachments(images, email.attachments)
  const places = findPlaces(shown)
  let pixelsLeft = maxPixelsInAll
  await Promise.all(images.map(async (image, index) => {
    const show = async (url: string, file?: Blob) => {
      const pixels = await countPixels(url, file, shown)
      if (pixels > Math.min(maxPixels, pixelsLeft) || signal.aborted) return
      pixelsLeft -= pixels
      places.get(`${index}`)?.forEach((setUrl) => setUrl(url))
    }
    if (image.kind !== 'attachment') return show(image.url, image.kind === 'data' ? fileOfData(image.url) : undefined)
    const attachment = attachments.get(image.contentId)
    if (!attachment) return
    const file = await open(email.id, attachment.id, '', signal).catch(() => undefined)
    const type = file && await imageTypeOf(file)
    if (!type || signal.aborted) return // the alternative text of the image stays
    const url = URL.createObjectURL(file.slice(0, file.size, type))
    signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true })
    await show(url, file)
  }))
}

const variableInStyle = new RegExp(String.raw`\(${imageVariable(String.raw`(\d+)`)}`, 'g')

/** @returns for each index of an image, functions that give it to an element, or to styles */
function findPlaces(shown: Document) {
  const places = new Map<string, ((url: string) => void)[]>()
  const root = shown.documentElement
  for (const index of new Set(Array.from(root.outerHTML.matchAll(variableInStyle), ([, found]) => found!))) {
    places.set(index, [(url) => root.style.setProperty(imageVariable(index), `url("${url}")`)])
  }
  for (const [attribute, marker] of Object.entries(imageAttributes)) {
    for (const element of shown.querySelectorAll(`[${marker}]`)) {
      const index = element.getAttribute(marker)!
      const found = places.get(index) ?? []
      places.set(index, found)
      found.push((url) => element.setAttribute(attribute, url))
    }
  }
  return places
}

/** @returns the images among the attachments by their Content-ID, as many as fit */
function chooseAttachments(images: MailImage[], attachments: Email['attachments']) {
  const byContentId = new Map<string | undefined, Email['attachments'][number]>()
  for (const attachment of attachments.toReversed()) byContentId.set(attachment.contentId?.replaceAll(/^<|>$/g, ''), attachment) // the first one stays
  const chosen = new Map<string, Email['attachments'][number]>()
  let total = 0
  for (const image of images) {
    if (image.kind !== 'attachment' || chosen.size === maxInlineImages) continue
    const found = byContentId.get(image.contentId)
    if (!found || total + found.size > maxInlineBytes) continue
    total += found.size
    chosen.set(image.contentId, found)
  }
  return chosen
}
