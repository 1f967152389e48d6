/**
 * Whether bytes that are valid UTF-8 are UTF-8, against their declared charset. Few characters may be valid by chance: `通知` in GBK, `Её`
 * in windows-1251, `NESCAFÉ®` in windows-1252, `แดง` in windows-874. So the result has to have characters that such bytes do not give.
 * @param text the bytes, decoded as UTF-8
 * @param declared an encoding of the WHATWG Encoding Standard, or a code page
 */
export function isCertainlyUtf8(text: string, declared: string): boolean {
  if (declared === 'iso-2022-jp') return true // all its bytes have 7 bits
  if (latinLetterInWord.test(text)) return true
  if (!nonLatin.test(declared) && /[\xa0-\xff]/.test(text)) return true
  if ((declared === 'windows-874' ? /[\u3000-\u30ff\u6000-\uffff]/ : /[\u0800-\uffff]/).test(text)) return true
  const letters = new Set(text.slice(0, maxSampledBytes).match(/[^\0-\x7f]/g))
  return letters.size >= 3 && alphabets.some((alphabet) => [...letters].every((letter) => alphabet.test(letter)))
}

/** Maximum bytes, and characters, of a text that are searched for evidence. */
const maxSampledBytes = 16 * 1024

const latinLetterInWord = /[a-z][\xdf-\u017f]|[\xc0-\u017f][a-z]/
const nonLatin = /^(?:windows-(?:1251|1253|1255|1256|874)|iso-8859-[5-8]|koi8|x-mac-cyr|ibm866|cp(?:737|855|862)|gb|big5|euc|shift)/
/** Latin, Greek, Cyrillic, Hebrew, Arabic and Thai, with punctuation. */
const alphabets = [/[\xa0-\u024f]/, /[\xa0-\xbf\u0370-\u03ff]/, /[\xa0-\xbf\u0400-\u052f]/, /[\xa0-\xbf\u0590-\u05ff]/, /[\xa0-\xbf\u0600-\u06ff]/, /[\u0e00-\u0e7f]/]

/**
 * Finds the charset of a text in Japanese, Korean, Chinese, Russian or Ukrainian, of which the declared charset is missing or wrong.
 * @param isWestern whether the declared charset is one for Western Europe, which has characters for all bytes
 * @returns undefined where it is not certain
 */
export function guessEncoding(bytes: Buffer, isWestern: boolean): string | undefined {
  const sample = bytes.toString('latin1', 0, maxSampledBytes)
  if (!/[\x80-\xff]{4}/.test(sample)) return undefined // languages with Latin letters have no four bytes of 8 bits in a row
  const language = languages.find((some) => fits(sample, some))
  return language && (!isWestern || isNotWestern(sample, language)) ? language.encoding : undefined
}

/**
 * Whether bytes are no text in a Western charset, although it has a character for each: they include C1 controls, or they are no list of
 * characters either. So some of them are repeated, and they have the frequent letters of Cyrillic, or are letters and signs mixed.
 */
function isNotWestern(sample: string, { frequentLetters }: Language): boolean {
  if (/[\x81\x8d\x8f\x90\x9d]/.test(sample)) return true
  const bytes = sample.match(/[\x80-\xff]/g) ?? []
  if (new Set(bytes).size === bytes.length) return false
  const share = (some: RegExp) => bytes.filter((byte) => some.test(byte)).length / bytes.length
  if (frequentLetters) return share(frequentLetters) > 0.35
  const letters = share(/[\xc0-\xd6\xd8-\xf6\xf8-\xff]/)
  return letters > 0.1 && letters < 0.9
}

/**
 * Whether a text of ASCII is in HZ (RFC 1843), whatever is declared: its escapes enclose valid pairs, most of them frequent hanzi, of which
 * three differ. Some template languages enclose words in the same signs.
 */
export function isCertainlyHz(text: string): boolean {
  const start = text.indexOf('~{')
  const cut = start + maxSampledBytes
  const sample = text.slice(start, cut < text.length ? text.lastIndexOf('~}', cut) + 2 : undefined)
  const runs = sample.match(/~\{(?:[\x21-\x77][\x21-\x7e])+~\}/g) ?? []
  if (runs.length !== sample.split('~{').length - 1 || runs.every((run) => /^~\{\w+~\}$/.test(run))) return false
  const pairs = runs.flatMap((run) => run.slice(2, -2).match(/../g)!)
  const frequent = pairs.filter((pair) => /^[\x30-\x57]/.test(pair))
  const others = pairs.filter((pair) => /^[\x24-\x2f\x58-\x77]/.test(pair))
  return new Set(frequent).size >= 3 && frequent.length >= 0.8 * (frequent.length + others.length)
}

interface Language {
  encoding: string
  /** Matches characters of the charset, as bytes. The group `usual` has those that are frequent in the language. */
  characters: RegExp
  /** Minimum share of frequent ones among the characters with groups. */
  minShare: number
  /** Minimum number of frequent ones that differ. */
  minDifferent: number
  /** Matches bytes of о, е, а, и, н, т and і. */
  frequentLetters?: RegExp
}

/** In the order of their certainty: kana are in no other language, and a text of few hanzi may also be one of Korean syllables. */
const languages: Language[] = [
  {
    encoding: 'shift_jis', minShare: 0.2, minDifferent: 3,
    characters: /(?<usual>\x82[\x9f-\xf1]|\x83[\x40-\x7e\x80-\x96])|(?<other>[\x88-\x9f\xe0-\xea][\x40-\x7e\x80-\xfc])|[\x81\x82\x87][\x40-\x7e\x80-\xfc]/y,
  },
  {
    encoding: 'euc-jp', minShare: 0.2, minDifferent: 3,
    characters: /(?<usual>[\xa4\xa5][\xa1-\xf6])|(?<other>[\xb0-\xf4][\xa1-\xfe])|[\xa1-\xa3][\xa1-\xfe]/y,
  },
  {
    encoding: 'euc-kr', minShare: 0.95, minDifferent: 6,
    characters: /(?<usual>[\xb0-\xc8][\xa1-\xfe])|(?<other>[\xca-\xfd][\xa1-\xfe])|[\xa1-\xa3][\xa1-\xfe]/y,
  },
  // two small letters in words without letters of ASCII
  {
    encoding: 'koi8-u', minShare: 0.8, minDifferent: 3, frequentLetters: /[\xcf\xc5\xc1\xc9\xce\xd4\xa6]/,
    characters: /(?<![A-Za-z])(?:(?<usual>[\xc0-\xdf\xa3\xa4\xa6\xa7\xad]{2})|(?<other>[\xe0-\xff\xb3\xb4\xb6\xb7\xbd]{2})|[\xc0-\xff\xa3\xa4\xa6\xa7\xad\xb3\xb4\xb6\xb7\xbd\x9a])(?![A-Za-z])/y,
  },
  {
    encoding: 'windows-1251', minShare: 0.8, minDifferent: 3, frequentLetters: /[\xee\xe5\xe0\xe8\xed\xf2\xb3]/,
    characters: /(?<![A-Za-z])(?:(?<usual>[\xe0-\xff\xb3\xb4\xb8\xba\xbf]{2})|(?<other>[\xc0-\xdf\xa5\xa8\xaa\xaf\xb2]{2})|[\xc0-\xff\xa5\xa8\xaa\xaf\xb2-\xb4\xb8\xba\xbf\x84\x85\x91-\x97\xa0\xab\xb9\xbb])(?![A-Za-z])/y,
  },
  // without pairs of 0xa0, the no-break space of other charsets
  {
    encoding: 'ibm866', minShare: 0.8, minDifferent: 3, frequentLetters: /[\xae\xa5\xa0\xa8\xad\xe2]/,
    characters: /(?<![A-Za-z])(?:(?<usual>[\xa1-\xaf\xe0-\xef\xf1]{2})|(?<other>[\x80-\x9f\xf0]{2})|[\x80-\xaf\xe0-\xf1\xfc])(?![A-Za-z])/y,
  },
  {
    encoding: 'gbk', minShare: 0.8, minDifferent: 3,
    characters: /(?<usual>[\xb0-\xd7][\xa1-\xfe])|[\xa1-\xa3][\xa1-\xfe]|(?<other>[\x81-\xfe][\x40-\x7e\x80-\xfe])/y,
  },
  {
    encoding: 'big5', minShare: 0.9, minDifferent: 3,
    characters: /(?<usual>[\xa4-\xc6][\x40-\x7e\xa1-\xfe])|(?<other>[\xc9-\xf9][\x40-\x7e\xa1-\xfe])|[\xa1-\xa3][\x40-\x7e\xa1-\xfe]/y,
  },
]

/** Whether a text has only characters of a charset, the last one perhaps cut off, and enough frequent ones that differ. */
function fits(sample: string, { characters, minShare, minDifferent }: Language): boolean {
  const usual = new Set<string>()
  let usualCount = 0
  let count = 0
  for (let at = 0; at < sample.length;) {
    if (sample.charCodeAt(at) < 0x80) {
      at++
      continue
    }
    characters.lastIndex = at
    const match = characters.exec(sample)
    if (!match) return at >= maxSampledBytes - 1 && isEnough()
    const { usual: frequent, other } = match.groups!
    if (frequent) {
      usual.add(frequent)
      usualCount++
    }
    if (frequent || other) count++
    at += match[0].length
  }
  return isEnough()

  function isEnough() {
    return usual.size >= minDifferent && usualCount >= minShare * count
  }
}
