/** Removes NULs and replaces lone surrogates, so that SQLite and JSON keep the string as it is. */
export function cleanText(text: string): string {
  const whole = text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** Cuts a text to at most `maxUnits` UTF-16 units, never within a surrogate pair. */
export function cutText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const last = text.charCodeAt(maxUnits - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxUnits - 1 : maxUnits)
}
