import { expect } from 'chai'
import fc from 'fast-check'
import { lineEndings } from '../../server/smtp/line-endings.ts'

describe('line ends of a mail', () => {
  it('are CRLF already in most mails, whose bytes are not copied', () => {
    const chunk = Buffer.from('Subject: x\r\n\r\none\r\n\r\ntwo\r\n')
    expect(lineEndings().mend(chunk)).to.equal(chunk)
  })

  for (const [sent, kept] of [
    ['a\nb', 'a\r\nb'], ['a\rb', 'a\r\nb'], ['\n', '\r\n'], ['\n\n', '\r\n\r\n'], ['\r\r', '\r\n\r\n'], ['\n\r', '\r\n\r\n'],
    ['\r\r\n', '\r\n\r\n'], ['\r\n\n', '\r\n\r\n'], ['\r\n\r', '\r\n\r\n'], ['', ''], ['a', 'a'], ['a\r\nb', 'a\r\nb'], ['\0\xff\n', '\0\xff\r\n'],
  ] as const) {
    it(`become ${JSON.stringify(kept)} in ${JSON.stringify(sent)}, whole and byte by byte`, () => {
      expect(mendAll([sent])).to.equal(kept)
      expect(mendAll([...sent])).to.equal(kept)
    })
  }

  it('do not depend on where the chunks are cut', () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', '.', '\r', '\n', '\r\n'), maxLength: 8 }), { maxLength: 8 })
    fc.assert(fc.property(chunks, (texts) => {
      const kept = mendAll(texts)
      expect(kept).to.equal(texts.join('').replaceAll(/\r\n|\r|\n/g, '\r\n'))
    }), { numRuns: 500 })
  })

  it('take time in proportion to the length, whatever is sent', () => {
    const bytes = Buffer.alloc(4_000_000, '\n')
    expect(lineEndings().mend(bytes)).to.have.length(8_000_000)
  })
})

function mendAll(texts: readonly string[]) {
  const endings = lineEndings()
  const mended = texts.map((text) => endings.mend(Buffer.from(text, 'latin1')))
  return Buffer.concat([...mended, endings.end()]).toString('latin1')
}
