/** Decodes base64. Other characters are skipped, and padded texts in a row decoded one after the other. */
export function decodeBase64(body: Buffer): Buffer {
  // many times faster than a loop, but reads only up to the first padding
  return isOneText(body) ? Buffer.from(body.toString('latin1'), 'base64') : openBase64().push(body)
}

/** The number of bytes that `decodeBase64` returns, without the memory for them. */
export function base64Size(body: Buffer): number {
  return isOneText(body) ? Math.floor(countCharacters(body) * 3 / 4) : decodeBase64(body).length
}

/** Does what `decodeBase64` does to a text that comes in pieces. */
export interface Base64Decoder {
  push(piece: Buffer): Buffer
}

/** Whether a text body can be base64. Prose and HTML that are declared so by mistake begin with words, a tag or characters beyond ASCII. */
export function mayBeBase64(body: Buffer): boolean {
  const start = body.toString('latin1', 0, 1_000)
  return !/^\s*(?:<[!a-z]|\S*[\x80-\xff]{2})/i.test(start) && !(/^\s*\S+ \S+ /.test(start) && /[.,:;!?'"@()<>]/.test(start))
}

/** Maximum bytes of a text after base64. */
const maxFooterBytes = 4_000

/**
 * Returns where the base64 of a text body ends, when a plain text follows it: mailing lists append their footer without encoding it. The
 * base64 before it is complete, and none follows.
 */
export function endOfBase64(body: Buffer): number {
  const from = Math.max(0, body.length - maxFooterBytes)
  const tail = body.toString('latin1', from)
  const footer = /\n(?=(?:--[ \t]*|[_=-]{8,}[ \t]*|[^\s=]+ +[^\s][^\n]*)\r?\n?(?:\n|$))/.exec(tail)
  const base64 = footer && tail.slice(0, footer.index).trimEnd()
  if (!base64 || /^[A-Za-z0-9+/]{40,}={0,2}\r?$/m.test(tail.slice(footer.index + 1))) return body.length
  const end = from + base64.length
  const charsOfPadding = base64.length - base64.replace(/=+$/, '').length
  return (countCharacters(body.subarray(0, end)) + charsOfPadding) % 4 === 0 ? end : body.length
}

export function openBase64(): Base64Decoder {
  let bits = 0
  let bitCount = 0 // of `bits`: 0, 2, 4 or 6
  let out = Buffer.alloc(0)
  let length = 0

  function take(char: number) {
    const value = values[char]!
    if (value === padding) bitCount = 0
    if (value >= 64) return
    bits = (bits << 6 | value) & 0xfff
    bitCount += 6
    if (bitCount < 8) return
    bitCount -= 8
    out[length++] = bits >> bitCount
  }

  return {
    push(piece) {
      out = Buffer.allocUnsafe(Math.ceil(piece.length * 3 / 4) + 1)
      length = 0
      let at = 0
      while (bitCount > 0 && at < piece.length) take(piece[at++]!)
      const end = at + endOfGroups(piece.subarray(at))
      length += out.write(piece.toString('latin1', at, end), length, 'base64')
      for (at = end; at < piece.length; at++) take(piece[at]!)
      return out.subarray(0, length)
    },
  }
}

/** The end of the last four characters that stand together, before the first padding. */
function endOfGroups(text: Buffer): number {
  const paddingAt = text.indexOf('=')
  let end = paddingAt < 0 ? text.length : paddingAt
  for (let over = countCharacters(text.subarray(0, end)) % 4; over > 0;) over -= isCharacter[text[--end]!]!
  return end
}

/** Values of the characters of base64, and of base64url, which `Buffer.from` reads too; of "="; of all others. */
const [padding, skipped] = [64, 65]
const values = new Uint8Array(256).fill(skipped)
for (const last of ['+/', '-_']) {
  for (const [value, char] of Buffer.from(`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${last}`).entries()) values[char] = value
}
values['='.charCodeAt(0)] = padding

/** Whether no text follows the first padding. */
function isOneText(body: Buffer): boolean {
  const end = body.indexOf('=')
  return end < 0 || !/[A-Za-z0-9+/_-]/.test(body.toString('latin1', end))
}

/** Four at a time, which takes a third of the time. */
function countCharacters(body: Buffer): number {
  let count = 0
  let i = 0
  for (; i + 3 < body.length; i += 4) {
    count += isCharacter[body[i]!]! + isCharacter[body[i + 1]!]! + isCharacter[body[i + 2]!]! + isCharacter[body[i + 3]!]!
  }
  for (; i < body.length; i++) count += isCharacter[body[i]!]!
  return count
}

const isCharacter = values.map((value) => Number(value < 64))
