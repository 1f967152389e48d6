import { costOfLine } from './css-allowed.ts'
import { maxPaintCost } from './css-limits.ts'
import { maxHeightPx } from './frame-size.ts'

/** Height of the parts of a mail that are measured, about that of a window. */
const partHeightPx = 500

/** Maximum parts from the top that are measured: as many as the highest frame has. */
const maxParts = maxHeightPx / partHeightPx

/** Maximum boxes above each other, each as large as the part. */
const maxLayers = 1_000

/** Text takes as long as so many boxes of its size. */
const boxesOfText = 10

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

/**
 * Whether painting would stop the page for seconds: so many boxes and lines of text lie above each other, in whatever way, or elements with
 * costly styles are broken into so many lines.
 */
export function isSlowToPaint(shown: Document): boolean {
  const view = shown.defaultView
  if (!view) return false // its frame was removed
  const range = shown.createRange()
  const layers = new Layers(view.innerWidth)
  const nodes = shown.createTreeWalker(shown, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  let cost = 0
  while (nodes.nextNode()) {
    const node = nodes.currentNode as Element | Text
    const isElement = 'localName' in node
    if (!isElement) range.selectNodeContents(node)
    const boxes = (isElement ? node : range).getClientRects()
    if (isElement && boxes.length > 1) cost += (boxes.length - 1) * costOfLine(view.getComputedStyle(node))
    if (isElement && (node.localName === 'li' || node.localName === 'img')) addUnmeasured(node, view, layers)
    for (const box of boxes) layers.add(box, isElement ? 1 : boxesOfText)
    if (cost > maxPaintCost || layers.isTooMuch) return true
  }
  return false
}

/** Adds the marker of an item, or the alternative text of an image, as lines in one place: theirs is not known. */
function addUnmeasured(element: Element, view: Window, layers: Layers) {
  const { top } = element.getBoundingClientRect()
  const fontSize = parseFloat(view.getComputedStyle(element).fontSize)
  const lines = element.localName === 'li' ? 1 : (element.getAttribute('alt') ?? '').length * fontSize / view.innerWidth
  layers.add({ left: 0, right: view.innerWidth, top, bottom: top + fontSize }, lines * boxesOfText)
}

/** The areas of the boxes in each part of a mail. */
class Layers {
  readonly #width: number
  readonly #areas = new Map<number, number>()
  #maxArea = 0

  constructor(width: number) {
    this.#width = width
  }

  get isTooMuch(): boolean {
    return this.#maxArea > maxLayers * partHeightPx * this.#width
  }

  /** @param count how often the box is painted */
  add({ left, right, top, bottom }: Box, count: number): void {
    const shownWidth = Math.min(right, this.#width) - Math.max(left, 0)
    if (shownWidth <= 0) return
    for (let part = Math.max(0, Math.floor(top / partHeightPx)); part < Math.min(bottom / partHeightPx, maxParts); part++) {
      const height = Math.min(bottom, (part + 1) * partHeightPx) - Math.max(top, part * partHeightPx)
      const area = (this.#areas.get(part) ?? 0) + count * shownWidth * height
      this.#areas.set(part, area)
      this.#maxArea = Math.max(this.#maxArea, area)
    }
  }
}
