/** A string that SQLite and JSON keep as it is: without NULs and lone surrogates. */
export function cleanText(text: string): string {
  const whole = text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** At most `length` UTF-16 units, never half a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}
