/** Height in px of the parts of a mail that are looked at, about that of a window. */
const partHeight = 500

/** Elements above each other, each as large as the part. */
const maxLayers = 1_000

/** Whether so many elements lie above each other, in whatever way, that painting them would stop the page for seconds. */
export function isOverlapping(shown: Document): boolean {
  const elements = shown.body.getElementsByTagName('*')
  if (elements.length <= maxLayers) return false
  const maxArea = maxLayers * partHeight * shown.documentElement.clientWidth
  const areas = new Map<number, number>()
  for (const element of elements) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const width = Math.min(right, shown.documentElement.clientWidth) - Math.max(left, 0)
    if (width <= 0) continue
    for (let part = Math.max(0, Math.floor(top / partHeight)); part < Math.min(bottom / partHeight, maxParts); part++) {
      const height = Math.min(bottom, (part + 1) * partHeight) - Math.max(top, part * partHeight)
      areas.set(part, (areas.get(part) ?? 0) + width * height)
      if (areas.get(part)! > maxArea) return true
    }
  }
  return false
}

/** Parts from the top that are looked at: more are higher than the frame. */
const maxParts = 40
