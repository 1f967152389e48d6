/** Addresses of http and https, without punctuation that ends a sentence. */
const urls = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

/** Further links are shown as text. */
const maxLinks = 1_000

/** A text whose web addresses are links, such as that of a verification mail. @param isSource shows the text without links */
export function LinkedText({ text, isSource }: { text: string, isSource: boolean }) {
  if (isSource) return text
  const parts = []
  let end = 0
  for (const { 0: url, index } of text.matchAll(urls)) {
    if (parts.length === 2 * maxLinks) break
    parts.push(text.slice(end, index), <a key={index} href={url} target="_blank" rel="noopener noreferrer">{url}</a>)
    end = index + url.length
  }
  return [...parts, text.slice(end)]
}
