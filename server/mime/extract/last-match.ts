/** @param pattern with the flag `g` @returns the index after its last match in a text; -1 without one */
export function endOfLast(pattern: RegExp, text: string): number {
  let end = -1
  pattern.lastIndex = 0
  while (pattern.test(text)) end = pattern.lastIndex
  return end
}

/** @returns the last line of a text that is not blank */
export function lastLine(text: string): string {
  const end = text.trimEnd()
  return end.slice(end.lastIndexOf('\n') + 1)
}
