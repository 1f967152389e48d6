/**
 * Decodes Unified Hangul Code (windows-949), called euc-kr, ks_c_5601-1987 or cp949 in mail. Node's decoder of euc-kr has only the 2,350
 * syllables of KS X 1001. UHC adds the other 8,822, in the order of Unicode, at the byte pairs that KS X 1001 does not use.
 */
export function decodeUhc(bytes: Uint8Array): string {
  const units = unitsOfPairs ??= readPairs()
  const text = new Uint16Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i]!
    if (lead < firstLead) {
      text[length++] = lead
      continue
    }
    const trail = bytes[i + 1] ?? 0
    const unit = units[lead << 8 | trail]!
    text[length++] = unit || replacement
    // an ASCII byte after an invalid lead byte is a character of its own
    if (unit || trail >= firstLead) i++
  }
  return Buffer.from(text.buffer, 0, length * 2).toString('utf16le')
}

const firstLead = 0x80
const replacement = 0xfffd

/** UTF-16 units by byte pair; 0 for a pair that is not assigned. */
let unitsOfPairs: Uint16Array | undefined

function readPairs(): Uint16Array {
  const units = new Uint16Array(0x10000)
  const decoder = new TextDecoder('euc-kr')
  const known = new Set<number>()
  for (let lead = 0xa1; lead <= 0xfe; lead++) {
    for (let trail = 0xa1; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail))
      if (character.length !== 1 || character === '\ufffd') continue
      units[lead << 8 | trail] = character.charCodeAt(0)
      known.add(character.charCodeAt(0))
    }
  }
  let next = 0
  for (let syllable = 0xac00; syllable <= 0xd7a3; syllable++) {
    if (!known.has(syllable)) units[freePairs[next++]!] = syllable
  }
  return units
}

/** The byte pairs outside KS X 1001, in order. */
const freePairs = Array.from({ length: 0xc6 - 0x81 + 1 }, (_, i) => 0x81 + i).flatMap((lead) => {
  const ranges = [[0x41, 0x5a], [0x61, 0x7a], [0x81, lead < 0xa1 ? 0xfe : 0xa0]] as const
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => lead << 8 | first + i))
})
