import { expect } from 'chai'
import fc from 'fast-check'
import { measurePart } from '../../../server/mime/parse/html-range.ts'
import { decodePart, openDecoder } from '../../../server/mime/parse/part-decoder.ts'
import { decodeTransfer, maxTrimmedBytes } from '../../../server/mime/parse/transfer-encoding.ts'

const encodings = ['base64', 'quoted-printable', 'x-uuencode', '7bit', '8bit', 'binary', 'x-own']

/** Pieces of text that mean something to one of the encodings. */
const atoms = fc.oneof(
  fc.constantFrom('QUJD', 'Q', 'QQ==', '=', '==', '=\r\n', '= \t\r\n', '=\n', '=3D', '=3d', '=4', '=zz', '=\r=', '\r', '\n', '\r\n', ' ', '\t', ' \r\n', '\t \n',
    '-_', '*', '\0', '\xff', 'begin 644 a\r\n', '\r\nbegin 644 b\n', 'begin ', 'end', '\r\nend\r\n', '`\r\n', '#0V%T\r\n', 'M\n', '_'),
  fc.constantFrom(' ', '= ', '=', 'A', '=\r').chain((atom) => fc.nat(130).map((count) => atom.repeat(count))),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.uint8Array({ maxLength: 90 }).map((bytes) => Buffer.from(bytes).toString('base64')),
)
const bodies = fc.array(atoms, { maxLength: 30 }).map((found) => Buffer.from(found.join(''), 'latin1'))

/** Cuts bytes at random places. */
const inPieces = (bytes: Buffer, cuts: number[]) => {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * (bytes.length + 1))).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}
const cutsOf = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 8 })

describe('MIME: parts that are decoded in pieces', () => {
  for (const encoding of encodings) {
    it(`have the bytes of the whole part, in ${encoding}`, async () => {
      await fc.assert(fc.asyncProperty(bodies, bodies, cutsOf, async (before, body, cuts) => {
        const source = Buffer.concat([before, body])
        const whole = decodeTransfer(body, encoding)
        const { range, size } = measurePart(source, source.subarray(before.length), encoding)
        expect(size).to.equal(whole.length)
        const encoded = inPieces(source.subarray(range.offset, range.offset + range.length), cuts)
        const pieces = await Array.fromAsync(decodePart(from(encoded), { encoding: range.encoding, size }))
        expect(Buffer.concat(pieces).toString('latin1')).to.equal(whole.toString('latin1'))
      }), { numRuns: 1_000, seed: 20260104 })
    })
  }

  it('take little memory for white space without an end', () => {
    for (const runs of [1, 2, 3]) {
      const body = Buffer.from(`${' '.repeat(maxTrimmedBytes * runs + 1000)}\r\nb`)
      const decoder = openDecoder('quoted-printable')
      const pieces = inPieces(body, Array.from({ length: 50 }, (_, i) => i / 50)).map((piece) => decoder.push(piece))
      expect(Buffer.concat([...pieces, decoder.end()]).equals(decodeTransfer(body, 'quoted-printable'))).to.equal(true)
      expect(Buffer.concat(pieces).length).to.be.greaterThan((runs - 1) * maxTrimmedBytes)
    }
  })

  it('are decoded 64 kB at a time, so that a download does not hold the thread', async () => {
    const body = Buffer.from(`${'A'.repeat(76)}\r\n`.repeat(10_000))
    const pieces = await Array.fromAsync(decodePart(from([body]), { encoding: 'base64', size: 570_000 }))
    expect(Buffer.concat(pieces).length).to.equal(570_000)
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.at.most(64 * 1024 * 3 / 4)
  })

  it('have at most the measured size', async () => {
    const pieces = await Array.fromAsync(decodePart(from([Buffer.from('abc'), Buffer.from('def')]), { encoding: 'identity', size: 4 }))
    expect(Buffer.concat(pieces).toString()).to.equal('abcd')
  })
})

async function* from(pieces: Buffer[]) {
  yield* pieces
}
