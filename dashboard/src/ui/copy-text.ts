/**
 * Writes a text to the clipboard.
 * @returns whether the browser allowed it: it needs HTTPS or localhost, and a key or click shortly before
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
