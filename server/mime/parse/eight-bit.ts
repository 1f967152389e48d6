import { isAscii } from 'node:buffer'
import { encodedWord } from './encoded-words.ts'

/**
 * Encodes raw 8-bit bytes within encoded words (RFC 2047) as `=FC` and within extended parameters (RFC 2231) as `%FC`, so that they
 * are decoded by the charset that is declared there.
 * @param hasParameters whether the value may have parameters: `attachment; filename*=iso-8859-1''Gr%FC%DFe.txt`
 */
export function escapeDeclared(value: Buffer, hasParameters: boolean): Buffer {
  if (isAscii(value)) return value
  const text = value.toString('latin1')
  const words = text.replace(encodedWord, (word) => escape(word, '='))
  const escaped = hasParameters ? words.replace(extendedParameter, (parameter) => escape(parameter, '%')) : words
  return escaped === text ? value : Buffer.from(escaped, 'latin1')
}

const extendedParameter = /\*[ \t]*=[^;]*/g

const escape = (text: string, sign: string) =>
  text.replace(/[\x80-\xff]/g, (byte) => `${sign}${byte.charCodeAt(0).toString(16).toUpperCase()}`)
