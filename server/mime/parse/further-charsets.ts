import { tableOf } from '../table-of.ts'

/** Decoders of charsets that Node lacks. */

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

/**
 * Decodes a charset of 7-bit bytes that has no decoder in Node: UTF-7, hz-gb-2312 (RFC 1843), iso-2022-kr (RFC 1557), and iso-2022-cn (RFC
 * 1922) as far as it is GB 2312. Escapes of the last three enclose characters of a double-byte charset, whose bytes lack their high bit.
 */
export function decodeShifted(text: string, encoding: string): string {
  if (encoding === 'utf-7') return decodeUtf7(text)
  if (encoding === 'hz-gb-2312') return gbk.decode(withHighBits(text, '~{', '~}'))
  const bytes = withHighBits(text.replace(/\x1b\$[)*+][A-Z]/g, ''), '\x0e', '\x0f')
  return encoding === 'iso-2022-kr' ? decodeUhc(bytes) : gbk.decode(bytes)
}

/** Sets the high bit of the bytes between two escapes; the end of a line stands for the second. In HZ, "~" also escapes itself. */
function withHighBits(text: string, opening: string, closing: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  let isShifted = false
  let isInPair = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isShifted && (code === LF || text.startsWith(closing, i))) {
      if (isInPair) bytes[length - 1] = invalidByte
      isShifted = isInPair = false
      if (code === LF) bytes[length++] = code
      else i += closing.length - 1
    } else if (isShifted) {
      bytes[length++] = code > SPACE ? code | 0x80 : code
      isInPair = code > SPACE && !isInPair
    } else if (text.startsWith(opening, i)) {
      i += opening.length - 1
      isShifted = true
    } else {
      const escape = code === TILDE && opening === '~{' ? tildeEscape.exec(text.slice(i, i + 3))?.[0] ?? '' : ''
      if (escape === '' || escape === '~~') bytes[length++] = code
      i += Math.max(0, escape.length - 1)
    }
  }
  if (isInPair) bytes[length - 1] = invalidByte
  return bytes.subarray(0, length)
}

/** A "~" stands for itself when it is doubled, and joins two lines at the end of the first. */
const tildeEscape = /^~(?:~|\r?\n)/
const LF = 0x0a
const SPACE = 0x20
const TILDE = 0x7e
/** In place of half a character, to which the next byte does not belong. */
const invalidByte = 0xff
const gbk = new TextDecoder('gbk')

/** Decodes UTF-7 (RFC 2152). A "+" that begins no whole characters stays. */
function decodeUtf7(text: string): string {
  const units = new Uint16Array(text.length)
  let length = 0
  for (let i = 0; i < text.length;) {
    const from = length
    let bits = 0
    let bitCount = 0
    let end = i + 1
    if (text[i] === '+') {
      for (let value = base64Values[text.charCodeAt(end)]!; value >= 0; value = base64Values[text.charCodeAt(++end)]!) {
        bits = bits << 6 | value
        bitCount += 6
        if (bitCount < 16) continue
        bitCount -= 16
        units[length++] = bits >> bitCount
        bits &= (1 << bitCount) - 1
      }
    }
    if (length > from && bitCount < 6 && bits === 0) {
      i = text[end] === '-' ? end + 1 : end
    } else if (text.startsWith('+-', i)) {
      units[length++] = text.charCodeAt(i)
      i += 2
    } else {
      for (length = from; i < end; i++) units[length++] = text.charCodeAt(i)
    }
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le').toWellFormed()
}

const base64Values = new Int8Array(0x100).fill(-1)
const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let value = 0; value < 64; value++) base64Values[base64Alphabet.charCodeAt(value)] = value

/** Whether `decodeCodePage` has a code page, such as `cp850`. */
export const isCodePage = (name: string): boolean => Object.hasOwn(codePages, name)

/** Decodes a code page of DOS. */
export function decodeCodePage(bytes: Uint8Array, name: string): string {
  const page = codePages[name]!
  const text = new Uint16Array(bytes.length)
  for (let i = 0; i < bytes.length; i++) text[i] = bytes[i]! < 0x80 ? bytes[i]! : page.charCodeAt(bytes[i]! - 0x80)
  return Buffer.from(text.buffer).toString('utf16le')
}

/** The characters of the bytes from 0x80. cp858 is cp850 with the sign of the euro. */
const codePages: Record<string, string> = tableOf({
  cp437: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp737: 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\xa0',
  cp775: 'ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐└┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųūž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\xad±“¾¶§÷„°∙·¹³²■\xa0',
  cp850: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  cp852: 'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\xad˝˛ˇ˘§÷¸°¨˙űŘř■\xa0',
  cp855: 'ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\xadыЫзЗшШэЭщЩчЧ§■\xa0',
  cp857: 'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\ufffdÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\ufffd×ÚÛÙìÿ¯´\xad±\ufffd¾¶§÷¸°¨·¹³²■\xa0',
  cp860: 'ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp861: 'ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp862: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp863: 'ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  cp865: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
})
codePages.cp858 = codePages.cp850!.replace('ı', '€')
