/** Decodes base64. Other characters are skipped, and padded texts in a row decoded one after the other. */
export function decodeBase64(body: Buffer): Buffer {
  const padding = body.indexOf('=')
  const isOneText = padding < 0 || !/[A-Za-z0-9+/_-]/.test(body.toString('latin1', padding))
  // many times faster than a loop, but reads only up to the first padding
  return isOneText ? Buffer.from(body.toString('latin1'), 'base64') : openBase64().push(body)
}

/** Does what `decodeBase64` does to a text that comes in pieces. */
export interface Base64Decoder {
  push(piece: Buffer): Buffer
}

export function openBase64(): Base64Decoder {
  let bits = 0
  let bitCount = 0 // of `bits`: 0, 2, 4 or 6
  return {
    push(piece) {
      const out = Buffer.allocUnsafe(Math.ceil(piece.length * 3 / 4) + 1)
      let length = 0
      for (let i = 0; i < piece.length; i++) {
        const value = values[piece[i]!]!
        if (value < 64) {
          bits = (bits << 6 | value) & 0xfff
          bitCount += 6
          if (bitCount >= 8) {
            bitCount -= 8
            out[length++] = bits >> bitCount
          }
        } else if (value === padding) {
          bitCount = 0
        }
      }
      return out.subarray(0, length)
    },
  }
}

/** Values of the characters of base64, and of base64url, which `Buffer.from` reads too; of "="; of all others. */
const [padding, skipped] = [64, 65]
const values = new Uint8Array(256).fill(skipped)
for (const alphabet of ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']) {
  for (const [value, char] of Buffer.from(alphabet).entries()) values[char] = value
}
values['='.charCodeAt(0)] = padding
