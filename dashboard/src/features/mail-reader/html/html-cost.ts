/** Characters of HTML that are shown. */
const maxLength = 2_000_000

/** Tags that are shown: more would stop the page for seconds. */
const maxTags = 100_000

/** Names within one tag: the parser compares each attribute with those before it. */
const maxNames = 20_000

/** Elements that have text alone. */
const textElements = new Set(['style', 'script', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'])

/** A comment, or a tag to its `>` or to its next attribute with a quoted value. */
const begin = /<!--[^]*?(?:-->|$)|<([a-z][^\s/>]*)/gi
const quoted = /[^>=]*(?:=(?!\s*["'])[^>=]*)*(?:=\s*(?:"[^"]*"|'[^']*'))?/y
const names = /[\s/"'][^\s/"'=>]/g

/** Whether the browser would need seconds to parse and to show the HTML. Takes linear time. */
export const isCostly = (html: string): boolean =>
  html.length > maxLength || isMoreThan(html, /</g, maxTags) || hasLongTag(html.toLowerCase())

function hasLongTag(html: string): boolean {
  begin.lastIndex = 0
  for (let found = begin.exec(html); found; found = begin.exec(html)) {
    const [, name] = found
    if (name === undefined) continue
    const start = begin.lastIndex
    let end = endOfTag(html, start)
    if (end - start > maxNames && isMoreThan(html.slice(start, end), names, maxNames)) return true
    if (textElements.has(name)) end = html.indexOf(`</${name}`, end)
    if (end === -1) return false
    begin.lastIndex = end
  }
  return false
}

function endOfTag(html: string, start: number): number {
  let end = start
  do {
    quoted.lastIndex = start = end
    quoted.exec(html)
    end = quoted.lastIndex
  } while (end > start && html[end] !== '>')
  return end
}

function isMoreThan(text: string, pattern: RegExp, max: number): boolean {
  const found = text.matchAll(pattern)
  for (let count = 0; count <= max; count++) if (found.next().done) return false
  return true
}
