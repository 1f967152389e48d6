import { maxHeightPx } from './frame-size.ts'

/** Height of the parts of a mail that are measured, about that of a window. */
const partHeightPx = 500

/** Maximum elements above each other, each as large as the part. */
const maxLayers = 1_000

/** Whether so many elements lie above each other, in whatever way, that painting them would stop the page for seconds. */
export function isOverlapping(shown: Document): boolean {
  const elements = shown.body.getElementsByTagName('*')
  if (elements.length <= maxLayers) return false
  const maxArea = maxLayers * partHeightPx * shown.documentElement.clientWidth
  const areas = new Map<number, number>()
  for (const element of elements) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const width = Math.min(right, shown.documentElement.clientWidth) - Math.max(left, 0)
    if (width <= 0) continue
    for (let part = Math.max(0, Math.floor(top / partHeightPx)); part < Math.min(bottom / partHeightPx, maxParts); part++) {
      const height = Math.min(bottom, (part + 1) * partHeightPx) - Math.max(top, part * partHeightPx)
      areas.set(part, (areas.get(part) ?? 0) + width * height)
      if (areas.get(part)! > maxArea) return true
    }
  }
  return false
}

/** Maximum parts from the top that are measured: as many as the highest frame has. */
const maxParts = maxHeightPx / partHeightPx
