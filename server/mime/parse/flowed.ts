/** Joins the soft-wrapped lines of format=flowed text (RFC 3676). */
export function unwrapFlowed(text: string, deletesSpace: boolean): string {
  const lines: string[] = []
  let isOpen = false
  let depth = 0
  let paragraph: string[] = []
  for (const source of text.split('\n')) {
    const quotes = /^>*/.exec(source)![0].length
    const line = source.slice(quotes).replace(/^ /, '')
    if (!isOpen || quotes !== depth) {
      if (paragraph.length > 0) lines.push(paragraph.join(''))
      // keeps the quote marks as they are, with or without a space after them
      paragraph = [quotes > 0 ? source.slice(0, source.length - line.length) : '']
    }
    isOpen = line.endsWith(' ') && line !== '-- '
    depth = quotes
    paragraph.push(isOpen && deletesSpace ? line.slice(0, -1) : line)
  }
  lines.push(paragraph.join(''))
  return lines.join('\n')
}
