/**
 * Writes a text to the clipboard. Both ways need a key or click shortly before; the first needs HTTPS or localhost too.
 * @returns whether the browser allowed it
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    // eslint-disable-next-line no-restricted-properties -- the other way follows
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  field.style.position = 'fixed' // so that nothing scrolls
  // a dialog keeps the focus within itself
  const holder = focused?.closest('[role=dialog]') ?? document.body
  holder.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
