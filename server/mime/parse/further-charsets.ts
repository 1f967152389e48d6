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
 * Decodes a charset of 7-bit bytes that has no decoder in Node: hz-gb-2312 (RFC 1843), iso-2022-kr (RFC 1557), and iso-2022-cn (RFC 1922)
 * as far as it is GB 2312. Escapes enclose the characters of a double-byte charset, whose bytes lack their high bit.
 */
export function decodeShifted(text: string, encoding: string): string {
  const pairs = encoding === 'hz-gb-2312' ? /~\{([^]*?)(?:~\}|(?=\n)|$)/g : /\x0e([^]*?)(?:\x0f|(?=\n)|$)/g
  const decode = encoding === 'iso-2022-kr' ? decodeUhc : (bytes: Uint8Array) => gbk.decode(bytes)
  const decoded = text.replace(/\x1b\$[)*+][A-Z]/g, '')
    .replace(pairs, (_, shifted: string) => decode(Buffer.from(shifted, 'latin1').map((byte) => byte > 0x20 ? byte | 0x80 : byte)))
  return encoding === 'hz-gb-2312' ? decoded.replace(/~(?:(~)|\r?\n)/g, '$1') : decoded
}

const gbk = new TextDecoder('gbk')

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
const codePages: Record<string, string> = {
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
}
codePages.cp858 = codePages.cp850!.replace('ı', '€')
