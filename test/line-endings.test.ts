import { expect } from 'chai'
import fc from 'fast-check'
import { openCrlfStream, toCrlf } from '../server/line-endings.ts'

describe('Line endings of a mail', () => {
  it('are not changed when they are CRLF already, without a copy of the bytes', () => {
    const chunk = Buffer.from('Subject: x\r\n\r\none\r\n\r\ntwo\r\n')
    expect(openCrlfStream().convert(chunk)).to.equal(chunk)
  })

  for (const [sent, kept] of [
    ['a\nb', 'a\r\nb'], ['a\rb', 'a\r\nb'], ['\n', '\r\n'], ['\n\n', '\r\n\r\n'], ['\r\r', '\r\n\r\n'], ['\n\r', '\r\n\r\n'],
    ['\r\r\n', '\r\n\r\n'], ['\r\n\n', '\r\n\r\n'], ['\r\n\r', '\r\n\r\n'], ['', ''], ['a', 'a'], ['a\r\nb', 'a\r\nb'], ['\0\xff\n', '\0\xff\r\n'],
  ] as const) {
    it(`become ${JSON.stringify(kept)} in ${JSON.stringify(sent)}, as a text, as one chunk and byte by byte`, () => {
      expect(toCrlf(sent)).to.equal(kept)
      expect(convertAll([sent])).to.equal(kept)
      expect(convertAll([...sent])).to.equal(kept)
    })
  }

  it('do not depend on the boundaries of chunks', () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', '.', '\r', '\n', '\r\n'), maxLength: 8 }), { maxLength: 8 })
    fc.assert(fc.property(chunks, (texts) => {
      const expected = texts.join('').replaceAll(/\r\n|\r|\n/g, '\r\n')
      expect(convertAll(texts)).to.equal(expected)
      expect(toCrlf(texts.join(''))).to.equal(expected)
    }), { numRuns: 500 })
  })

  it('are converted in time proportional to the length, for any input', () => {
    const bytes = Buffer.alloc(4_000_000, '\n')
    expect(openCrlfStream().convert(bytes)).to.have.length(8_000_000)
  })
})

function convertAll(texts: readonly string[]) {
  const stream = openCrlfStream()
  const converted = texts.map((text) => stream.convert(Buffer.from(text, 'latin1')))
  return Buffer.concat([...converted, stream.end()]).toString('latin1')
}
