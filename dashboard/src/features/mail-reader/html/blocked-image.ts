/** Marks the box of an image that is not loaded. A mail cannot have it, because its data attributes are removed. */
export const blockedImage = 'data-blocked-image'

const copied = ['class', 'style', 'title', 'id', 'dir', 'lang']

/**
 * Replaces an image that is not loaded by a box of its size with its alternative text: browsers would show the sign of a broken image in
 * place of the text, and no size.
 */
export function replaceByBox(image: Element) {
  const box = image.ownerDocument.createElement('span')
  box.setAttribute(blockedImage, '')
  for (const name of copied) {
    const value = image.getAttribute(name)
    if (value !== null) box.setAttribute(name, value)
  }
  for (const side of ['width', 'height'] as const) {
    const [, length, percent] = /^\s*(\d+)(?:px)?(%?)\s*$/.exec(image.getAttribute(side) ?? '') ?? []
    if (length !== undefined && !box.style[side]) box.style[side] = `${length}${percent || 'px'}`
  }
  box.textContent = image.getAttribute('alt')
  image.replaceWith(box)
}
