/** A comment, or the start tag of the html element. Takes linear time: each match ends where its search has ended. */
const commentOrRoot = /<!--(?:-?>|[^]*?(?:-->|$))|<html(?=[\s/>])((?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=)*)/gi

/** @returns the text of the attributes of the first html element */
export function rootAttributesOf(html: string): string {
  for (const [, attributes] of html.matchAll(commentOrRoot)) if (attributes !== undefined) return attributes
  return ''
}
