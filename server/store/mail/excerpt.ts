/** Maximum bytes of JSON of each text of an email in a list; they limit the size of a page. */
export const maxListedBytes = { subject: 1_000, fromName: 250, preview: 600, body: 1_000 }

/** Maximum bytes of JSON of the body of a webhook's request or response in a list. */
export const maxListedBodyBytes = 4 * 1024

/** Maximum bytes of JSON of an email: clients read 32 MiB. One byte of a mail can become six of JSON. Its source has all of it. */
const maxEmailBytes = 30 * 1024 * 1024

/** Maximum bytes of JSON of each body of an email that is kept. */
export const maxBodyBytes = 14 * 1024 * 1024

/** Cuts the bodies of an email to the bytes of JSON that its other members leave. */
export function cutBodies<Mail extends { bodyText: string, bodyHtml: string }>(email: Mail): Mail {
  const { bodyText, bodyHtml } = email
  if ((bodyText.length + bodyHtml.length) * maxUnitBytes <= maxBodyBytes) return email
  const others = Buffer.byteLength(JSON.stringify({ ...email, bodyText: '', bodyHtml: '' }))
  const maxBytes = Math.max(0, Math.floor((maxEmailBytes - others) / 2))
  return { ...email, bodyText: excerpt(bodyText, maxBytes), bodyHtml: excerpt(bodyHtml, maxBytes) }
}

/** The beginning of a text, in at most `maxBytes` of JSON. Does not split surrogate pairs. */
export function excerpt(text: string, maxBytes: number): string {
  if (text.length * maxUnitBytes <= maxBytes) return text
  let [i, bytes] = [0, 0]
  for (let end; (end = i + pieceLength) < text.length; i = end) {
    if (isLowSurrogate(text.charCodeAt(end))) end--
    const ofPiece = Buffer.byteLength(JSON.stringify(text.slice(i, end))) - 2
    if (bytes + ofPiece > maxBytes) break
    bytes += ofPiece
  }
  for (; i < text.length; i++) {
    bytes += jsonBytes(text.charCodeAt(i))
    if (bytes > maxBytes) return text.slice(0, isLowSurrogate(text.charCodeAt(i)) ? i - 1 : i)
  }
  return text
}

/** Characters of a long text that are counted at once, which takes a tenth of the time. */
const pieceLength = 64 * 1024

const ellipsis = '…'

/** As `excerpt`; a text that was cut ends in `…`. */
export function shortened(text: string, maxBytes: number): string {
  const part = excerpt(text, maxBytes)
  return part === text ? text : excerpt(text, maxBytes - Buffer.byteLength(ellipsis)) + ellipsis
}

const [quote, backslash] = [0x22, 0x5c]
/** Backspace, tab, line feed, form feed and carriage return: two bytes in JSON. */
const shortEscapes = new Set([8, 9, 10, 12, 13])

const maxUnitBytes = 6

/** Bytes of a UTF-16 unit in JSON. Control characters other than `shortEscapes` take six. */
function jsonBytes(unit: number): number {
  if (unit < 0x20) return shortEscapes.has(unit) ? 2 : 6
  if (unit < 0x80) return unit === quote || unit === backslash ? 2 : 1
  return unit < 0x800 || isSurrogate(unit) ? 2 : 3
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xe000
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000

/** Characters of an excerpt: one more than a list shows, to tell that the text was cut. */
export const excerptLength = maxListedBytes.body + 1

/** Cuts an HTML body of which only the beginning is stored, so that a thread passes less to another. */
export const withoutRestOfHtml = <Message extends { bodyHtml: string, htmlRange: object | null }>(message: Message): Message =>
  message.htmlRange ? { ...message, bodyHtml: message.bodyHtml.slice(0, excerptLength + 1) } : message
