import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** Texts of any code points, half surrogates too. The unit `binary` of fast-check does the same, but takes a second to be created. */
export const anyText = (maxLength: number): Arbitrary<string> =>
  fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)), maxLength })
