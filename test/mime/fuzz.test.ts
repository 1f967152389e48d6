import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { safeFilename } from '../../server/mime/parse/attachment.ts'
import { readHeadersOnly, readMessage } from '../../server/mime/read-message.ts'
import { contentOf, htmlIn, rawOf } from './read-corpus.ts'

const corpus = readdirSync(new URL('./corpus', import.meta.url))
  .filter((name) => name.endsWith('.eml')).map((name) => rawOf(name.slice(0, -4)))

/** A mail in which pieces are replaced by pieces of other mails and by random bytes. */
const damaged = fc.tuple(
  fc.constantFrom(...corpus),
  fc.array(fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(80),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(fc.constantFrom(...corpus), fc.nat(1_500), fc.nat(120)).map(([raw, from, size]) =>
        raw.subarray(from, from + size)),
      fc.constantFrom('\r\n--b\r\n', '--b--', '\r\n\r\n', '=?utf-16?b?', '"', ';', '(',
        'Content-Type: text/html\r\n', '\0', '\xff\xfe')
        .map((text) => Buffer.from(text, 'latin1')),
    ),
  }), { minLength: 1, maxLength: 12 }),
).map(([raw, changes]) => changes.reduce((bytes, { at, removed, put }) => {
  const start = Math.floor(at * bytes.length)
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + removed)])
}, raw))

describe('MIME: damaged mail', () => {
  it('is always parsed, with a valid result', () => {
    fc.assert(fc.property(damaged, (raw) => {
      for (const mail of [readMessage(raw), readHeadersOnly(raw, null)]) {
        const { attachments, htmlRange, bodyHtml } = mail
        expect(JSON.stringify(mail)).not.to.match(/\\u0000|\\ud[89a-f]/)
        for (const attachment of attachments) {
          const { filename, contentType, size } = attachment
          expect(filename).to.equal(safeFilename(filename)).and.not.equal('')
          expect(contentType).to.match(/^[!#$&^_.+a-z0-9-]+\/[!#$&^_.+a-z0-9-]+$/)
          expect(contentOf(raw, attachment).length).to.equal(size)
        }
        if (htmlRange) expect(htmlIn(raw, htmlRange)).to.equal(bodyHtml)
      }
    }), { numRuns: 3_000, seed: 20260102 })
  })
})
