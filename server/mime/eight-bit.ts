import { isAscii } from 'node:buffer'
import { ENCODED_WORD } from './encoded-words.ts'

/**
 * Writes the 8-bit bytes of a header value for which it names a charset as the standards want them: `=FC` in an encoded
 * word (RFC 2047), `%FC` in an extended parameter (RFC 2231). So they are decoded by this charset, like those around them.
 * @param hasParameters the value may hold parameters: `attachment; filename*=iso-8859-1''Gr%FC%DFe.txt`
 */
export function escapeDeclared(value: Buffer, hasParameters: boolean): Buffer {
  if (isAscii(value)) return value
  const text = value.toString('latin1')
  const words = text.replace(ENCODED_WORD, (word) => escape(word, '='))
  const escaped = hasParameters ? words.replace(EXTENDED_PARAMETER, (parameter) => escape(parameter, '%')) : words
  return escaped === text ? value : Buffer.from(escaped, 'latin1')
}

const EXTENDED_PARAMETER = /\*[ \t]*=[^;]*/g

const escape = (text: string, sign: string) =>
  text.replace(/[\x80-\xff]/g, (byte) => `${sign}${byte.charCodeAt(0).toString(16).toUpperCase()}`)
