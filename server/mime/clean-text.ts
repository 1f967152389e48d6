/** Removes NULs and replaces lone surrogates, so that SQLite and JSON keep the string as it is. */
export function cleanText(text: string): string {
  return withoutNuls(text.toWellFormed())
}

/** The same for text that was decoded from bytes, which has no lone surrogates: it only removes NUL characters. */
export function withoutNuls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** Cuts a text to at most `maxUnits` UTF-16 units, never within a surrogate pair. */
export function cutText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const last = text.charCodeAt(maxUnits - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxUnits - 1 : maxUnits)
}
