import type { CodeMail } from './index.ts'

/** The result of an extractor for a mail, the likeliest first. */
export interface Extracted {
  codes: string[]
  links: string[]
}

export interface Verdict {
  /** `false` for a code where there is none. */
  code: 'exact' | 'wrong' | 'missed' | 'none' | 'false'
  /** Whether all codes are found, and no others. */
  hasAllCodes: boolean
  /** `none` where no link is expected: an extractor may list links of a footer. */
  link: 'right' | 'wrong' | 'none'
}

/** Compares codes without spaces, hyphens and case: extractors keep or remove the separators, and digits of other scripts. */
export function judge({ codes, link }: CodeMail, found: Extracted): Verdict {
  const [expected, actual] = [codes, found.codes].map((list) => list.map((code) => plain(code)))
  const first = expected!.length === 0 ? (actual!.length === 0 ? 'none' : 'false') : actual!.length === 0 ? 'missed' : actual![0] === expected![0] ? 'exact' : 'wrong'
  return {
    code: first,
    hasAllCodes: expected!.toSorted().join() === actual!.toSorted().join(),
    link: link === null ? 'none' : found.links[0] === link ? 'right' : 'wrong',
  }
}

/** Digits of any script as those of ASCII. */
const plain = (code: string): string => code.normalize('NFKC').replace(/[\s\u00a0\u2010-\u2015-]/g, '').toUpperCase()
  .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))

/** Each script has its digits in a row of ten, which begins at its zero. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}

export const shareOf = (count: number, total: number): number => total === 0 ? 100 : 100 * count / total
