/** A part of a mail. */
export interface StructurePart {
  type: string
  /** Name of its file, charset and transfer encoding; '' where it has none. */
  filename: string
  charset: string
  encoding: string
  disposition: string
  /** Still encoded, without its header. */
  bytes: number
  parts: StructurePart[]
}

/** Further parts, and those that are deeper, are left out. */
const maxParts = 500
const maxDepth = 30
/** Of a header that is read. */
const maxHeaderLength = 20_000

/** The tree of the parts of a mail. @param source a character for each byte */
export function readStructure(source: string): StructurePart {
  let count = 0

  function read(text: string, depth: number): StructurePart {
    count++
    const gap = /\r?\n\r?\n/.exec(text.slice(0, maxHeaderLength))
    const header = text.slice(0, gap?.index ?? maxHeaderLength).replaceAll(/\r?\n[ \t]+/g, ' ')
    const body = gap ? text.slice(gap.index + gap[0].length) : ''
    const contentType = fieldOf(header, 'content-type')
    const type = (/^[^;\s]+/.exec(contentType)?.[0] ?? 'text/plain').toLowerCase()
    const disposition = fieldOf(header, 'content-disposition')
    const boundary = type.startsWith('multipart/') ? parameterOf(contentType, 'boundary') : ''
    const inner = boundary ? split(body, boundary) : type === 'message/rfc822' ? [body] : []
    return {
      type,
      filename: parameterOf(disposition, 'filename') || parameterOf(contentType, 'name'),
      charset: parameterOf(contentType, 'charset').toLowerCase(),
      encoding: fieldOf(header, 'content-transfer-encoding').trim().toLowerCase(),
      disposition: (/^[^;\s]+/.exec(disposition)?.[0] ?? '').toLowerCase(),
      bytes: body.length,
      parts: depth < maxDepth ? inner.flatMap((part) => count < maxParts ? [read(part, depth + 1)] : []) : [],
    }
  }

  return read(source, 0)
}

function fieldOf(header: string, name: string): string {
  const field = header.split(/\r?\n/).find((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`)
  return field?.slice(name.length + 1).trim() ?? ''
}

function parameterOf(value: string, name: string): string {
  const found = new RegExp(`;\\s*${name}(?:\\*[\\d*]*)?\\s*=\\s*(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(value)
  return found?.[1] ?? found?.[2] ?? ''
}

/** The parts between the delimiters of a boundary (RFC 2046, section 5.1.1). */
function split(body: string, boundary: string): string[] {
  const parts: string[] = []
  const text = `\n${body}`
  const delimiter = `\n--${boundary}`
  let start = -1
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    const end = at + delimiter.length
    if (!/^(?:--)?[ \t]*\r?(?:\n|$)/.test(text.slice(end, end + 80))) continue
    if (start >= 0) parts.push(text.slice(start, text[at - 1] === '\r' ? at - 1 : at))
    const lineEnd = text.indexOf('\n', end)
    start = lineEnd < 0 ? text.length : lineEnd + 1
    if (text.startsWith('--', end) || parts.length > maxParts) return parts
  }
  return start >= 0 ? [...parts, text.slice(start)] : parts
}
