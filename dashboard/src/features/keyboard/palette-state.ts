/** Opens and closes the palette, from any component. */
const listeners = new Set<() => void>()
let isOpen = false

export const isPaletteOpen = (): boolean => isOpen

export function setPaletteOpen(open: boolean) {
  isOpen = open
  for (const listener of listeners) listener()
}

export const openPalette = () => setPaletteOpen(true)

export function listenToPalette(listener: () => void) {
  listeners.add(listener)
  return () => { listeners.delete(listener) }
}
