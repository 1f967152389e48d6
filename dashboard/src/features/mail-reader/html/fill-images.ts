import type { Email } from '@mayfly-mail/sdk'
import { openAttachment } from '../attachment-file.ts'
import { imageAttributes } from './sanitise.ts'
import { rasterTypes } from './urls.ts'
import type { MailImage } from './urls.ts'

/** Maximum total of the images within one mail. */
const maxInlineBytes = 20 * 1024 * 1024

/**
 * Gives the elements of a mail their images, once its document is there: those in attachments, and those of other hosts, which
 * `sanitise.ts` has in its list only if they are allowed.
 * @param signal ends it, and frees the memory of the images
 */
export async function fillImages(shown: Document, images: MailImage[], email: Pick<Email, 'id' | 'attachments'>, signal: AbortSignal) {
  const attachments = chooseAttachments(images, email.attachments)
  await Promise.all(images.map(async (image, index) => {
    const show = (url: string) => {
      for (const [attribute, marker] of Object.entries(imageAttributes)) {
        for (const element of shown.querySelectorAll(`[${marker}="${index}"]`)) element.setAttribute(attribute, url)
      }
    }
    if (image.kind === 'remote') return show(image.url)
    const attachment = attachments.get(image.contentId)
    if (!attachment) return
    const file = await openAttachment(email.id, attachment.id, attachment.contentType, signal).catch(() => undefined)
    if (!file || signal.aborted) return // the alternative text of the image stays
    const url = URL.createObjectURL(file)
    signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true })
    show(url)
  }))
}

/** @returns the images among the attachments by their Content-ID, as many as fit */
function chooseAttachments(images: MailImage[], attachments: Email['attachments']) {
  const chosen = new Map<string, Email['attachments'][number]>()
  let total = 0
  for (const image of images) {
    if (image.kind === 'remote' || chosen.has(image.contentId)) continue
    const found = attachments.find(({ contentId, contentType }) =>
      contentId?.replaceAll(/^<|>$/g, '') === image.contentId && rasterTypes.includes(contentType.toLowerCase()))
    if (!found || total + found.size > maxInlineBytes) continue
    total += found.size
    chosen.set(image.contentId, found)
  }
  return chosen
}
