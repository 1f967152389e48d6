import DOMPurify from 'dompurify'
import { purifierOptions } from './allowed.ts'
import { replaceByBox } from './blocked-image.ts'
import { openStyleBudget } from './css-limits.ts'
import { sanitiseSheet, sanitiseStyles } from './css.ts'
import type { ResolveUrl } from './css.ts'
import { isCostly, isCostlyTree } from './html-cost.ts'
import { rootAttributesOf } from './root-tag.ts'
import { readImageUrl, readLink } from './urls.ts'
import type { MailImage } from './urls.ts'

export interface SanitisedMail {
  /** The start tag of the html element. */
  root: string
  /** The style elements of the head. */
  styles: string
  /** The body element. */
  body: string
  /** The different images that `fill-images.ts` loads; their elements and styles name them by their index. */
  images: MailImage[]
  /** How many images and backgrounds of other hosts are not loaded. */
  blockedCount: number
}

interface SanitiseOptions {
  isRemoteAllowed: boolean
  /** The name of this server. */
  ownHost: string
  /** Marks the style elements for the policy of the page. */
  nonce: string
}

/** Attributes that `fill-images.ts` reads: the index of the image. A mail cannot have them, because its data attributes are removed. */
export const imageAttributes = { src: 'data-image', background: 'data-background' } as const

/** The variable of styles for an image. A mail cannot have it, because its variables are removed. */
export const imageVariable = (index: number | string) => `--image-${index}`

/**
 * Removes all of a mail's HTML that runs, submits, embeds, navigates or loads. The sandbox and the policy of the frame stand behind it
 * (`frame-document.ts`).
 * @returns undefined for HTML that is too much to show
 */
export function sanitiseMail(html: string, { isRemoteAllowed, ownHost, nonce }: SanitiseOptions): SanitisedMail | undefined {
  const parsed = isCostly(html) ? undefined : parse(html)
  if (!parsed || isCostlyTree(parsed)) return undefined
  const images = new Map<string, { image: MailImage, index: number }>()
  const blocked = new Set<string>()

  /** @returns whether it may be loaded */
  const admit = (image: MailImage): boolean => {
    if (image.kind !== 'remote' || isRemoteAllowed) return true
    blocked.add(image.url)
    return false
  }
  const resolveStyle: ResolveUrl = (url) => {
    const image = readImageUrl(url, ownHost)
    return image && admit(image) ? imageVariable(indexOf(image)) : undefined
  }
  const sanitiseImage = (element: Element, attribute: keyof typeof imageAttributes) => {
    const value = element.getAttribute(attribute)
    if (value === null) return
    const image = readImageUrl(value, ownHost)
    element.removeAttribute(attribute)
    if (image && admit(image)) element.setAttribute(imageAttributes[attribute], `${indexOf(image)}`)
    else if (element.localName === 'img' && attribute === 'src') replaceByBox(element)
  }
  const indexOf = (image: MailImage): number => {
    const name = image.kind === 'attachment' ? `cid:${image.contentId}` : image.url
    const found = images.get(name) ?? { image, index: images.size }
    images.set(name, found)
    return found.index
  }

  const purifier = DOMPurify(window)
  const styleOptions = { resolve: resolveStyle, budget: openStyleBudget(parsed) }
  purifier.addHook('uponSanitizeElement', (node) => {
    if (node.nodeName === 'STYLE') node.textContent = sanitiseSheet(node.textContent ?? '', styleOptions)
  })
  const root = purifier.sanitize(parsed, purifierOptions) as HTMLElement
  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    sanitiseImage(element, 'src')
    sanitiseImage(element, 'background')
    sanitiseLink(element)
    if (element.localName === 'style') element.setAttribute('nonce', nonce)
  }
  sanitiseStyles([root, ...root.querySelectorAll<HTMLElement>('[style]')].filter((element) => element.hasAttribute('style')), styleOptions)
  const start = root.cloneNode() as HTMLElement
  start.style.setProperty('display', 'none', 'important') // until `layout-cost.ts` has read its styles
  return {
    root: start.outerHTML.slice(0, -'</html>'.length), // an attribute can have the end tag too
    styles: Array.from(root.querySelectorAll('head style'), ({ outerHTML }) => outerHTML).join(''),
    body: root.querySelector('body')?.outerHTML ?? '<body></body>',
    images: Array.from(images.values(), ({ image }) => image),
    blockedCount: blocked.size,
  }
}

/** Elements that Chromium loads in any document: `track`, and its parents. Under another name they are removed as unknown. */
const media = /<(\/?)(audio|source|track|video)\b/gi

/**
 * @returns an element outside of any document, so that style elements are not applied, which the policy of the page would report; its
 * owner has no window, so that nothing loads, and it is parsed as without scripts
 */
function parse(html: string): HTMLElement {
  const root = document.implementation.createHTMLDocument('').createElement('html')
  root.innerHTML = html.replaceAll(media, '<$1x-$2')
  for (const { name, value } of readRootAttributes(root, html)) root.setAttribute(name, value)
  return root
}

/** @returns those of the html element, such as `dir`, which parsers leave out of a part of a document; none of a tag that does not end */
function readRootAttributes(root: Element, html: string): Iterable<Attr> {
  const holder = root.ownerDocument.createElement('div')
  holder.innerHTML = `<p${rootAttributesOf(html)}>`
  return holder.firstElementChild?.attributes ?? []
}

/** Links open a tab of their own, which knows nothing of this one. Those to a place in the mail are followed by `frame.tsx`. */
function sanitiseLink(element: Element) {
  const href = element.getAttribute('href')
  if (href === null) return
  if (href.startsWith('#')) return element.setAttribute('target', '_self')
  const link = readLink(href)
  if (link === undefined) return element.removeAttribute('href')
  element.setAttribute('href', link)
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer')
}
