/** The bytes of each character of a charset, from the decoder of Node, which has no encoder for others than UTF-8. */
const tables = new Map<string, Map<string, number[]>>()

/** @throws Error for a character that the charset lacks */
export function encode(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text)
  if (charset === 'iso-2022-jp') return encodeIso2022Jp(text)
  return Buffer.from([...text].flatMap((char) => bytesOf(char, charset)))
}

function bytesOf(char: string, charset: string): number[] {
  let table = tables.get(charset)
  if (!table) tables.set(charset, table = tableOf(charset))
  const bytes = table.get(char)
  if (!bytes) throw new Error(`${charset} has no ${char}`)
  return bytes
}

function tableOf(charset: string): Map<string, number[]> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const char = decoder.decode(Uint8Array.from(bytes))
    if ([...char].length === 1 && char !== '\ufffd' && !table.has(char)) table.set(char, bytes)
  }
  for (let byte = 0; byte < 0x100; byte++) add([byte])
  if (!/^(?:gb18030|big5|euc-kr|euc-jp|shift_jis)$/.test(charset)) return table
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail])
  return table
}

/** JIS X 0208 within ESC $ B and ESC ( B, as RFC 1468 has it; EUC-JP has the same bytes with their eighth bit. */
function encodeIso2022Jp(text: string): Buffer {
  const bytes: number[] = []
  let isJapanese = false
  const change = (toJapanese: boolean) => {
    if (isJapanese !== toJapanese) bytes.push(...Buffer.from(toJapanese ? '\x1b$B' : '\x1b(B'))
    isJapanese = toJapanese
  }
  for (const char of text) {
    const isAscii = char < '\x80'
    change(!isAscii)
    bytes.push(...isAscii ? [char.charCodeAt(0)] : bytesOf(char, 'euc-jp').map((byte) => byte & 0x7f))
  }
  change(false)
  return Buffer.from(bytes)
}
