/** Encoded words (RFC 2047, section 2), and the white space between two of them. */
const words = /=\?([\w-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?[\w-]+(?:\*[\w-]*)?\?[bq]\?))?/gi

/** Decodes the encoded words of a header; those that cannot be decoded stay. Words of one character may be split between two of them. */
export function decodeWords(value: string): string {
  if (!value.includes('=?')) return value
  let pending: { charset: string, decoder: TextDecoder } | undefined
  let text = ''
  let at = 0
  const flush = () => {
    if (pending) text += pending.decoder.decode()
    pending = undefined
  }
  for (const { index, 0: word, 1: name, 2: encoding, 3: content } of value.matchAll(words)) {
    if (index > at) {
      flush()
      text += value.slice(at, index)
    }
    at = index + word.length
    const charset = name!.toLowerCase()
    const bytes = isCharset(charset) ? bytesOf(encoding!.toLowerCase(), content!) : undefined
    if (pending?.charset !== charset || !bytes) flush()
    if (bytes) {
      pending ??= { charset, decoder: new TextDecoder(charset) }
      text += pending.decoder.decode(bytes, { stream: true })
    } else text += word
  }
  flush()
  return text + value.slice(at)
}

function isCharset(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== ''
  } catch {
    return false
  }
}

function bytesOf(encoding: string, content: string): Uint8Array | undefined {
  try {
    const text = encoding === 'b'
      ? atob(content)
      : content.replaceAll('_', ' ').replaceAll(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
