import { expect } from 'chai'
import { excerpt } from '../../server/store/mail/excerpt.ts'

const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

describe('Excerpts of texts', () => {
  it('are as long as their JSON may be, also of many pieces, and split no pair of surrogates', () => {
    for (const letter of ['x', '"', '\n', '\u0001', 'ä', '€', '\u{1f600}']) {
      for (const before of ['', 'x']) { // pairs of surrogates lie on the ends of pieces or between them
        const text = before + letter.repeat(300_000)
        for (const maxBytes of [0, 1, 1_000, 65_535, 65_536, 131_072, 262_147, 1_000_001]) {
          const part = excerpt(text, maxBytes)
          const next = text.slice(0, part.length + (part.length === 0 && before ? 1 : letter.length))
          const at = `${JSON.stringify(letter)} ${before} ${maxBytes}`
          expect([text.startsWith(part), part.isWellFormed(), bytesOf(part) <= maxBytes], at).to.deep.equal([true, true, true])
          expect(part === text || bytesOf(next) > maxBytes, at).to.equal(true)
        }
      }
    }
  })
})
