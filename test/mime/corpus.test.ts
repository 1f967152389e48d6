import { expect } from 'chai'
import { readContent } from '../../server/mime/parse/read-content.ts'
import { corpusMails } from './corpus/mails/index.ts'
import { htmlIn } from './read-corpus.ts'
import { countRight, fields, ourReading, rightFields } from './readings.ts'

describe('MIME corpus', () => {
  it('has at least 250 mails, each with its own name', () => {
    expect(corpusMails.length).to.be.at.least(250)
    expect(new Set(corpusMails.map(({ name }) => name)).size).to.equal(corpusMails.length)
  })

  for (const { name, raw, expected } of corpusMails) {
    it(`is read as expected: ${name}`, () => {
      const { html, ...reading } = ourReading(raw)
      const right = rightFields(expected, { html, ...reading })
      for (const field of fields) {
        if (!right[field]) expect({ [field]: reading[field], html }).to.deep.equal({ [field]: expected[field], html: expected.html })
      }
    })
  }

  it('has HTML bodies that are the same when they are read by their range of the source', () => {
    const read = corpusMails.map(({ raw }) => ({ raw, ...readContent(raw) })).filter(({ htmlRange }) => htmlRange)
    expect(read.length).to.be.greaterThan(10)
    for (const { raw, html, htmlRange } of read) expect(htmlIn(raw, htmlRange!)).to.equal(html)
  })

  it('is read correctly at least as often as by mailparser, field by field', async () => {
    const counts = await countRight()
    for (const field of fields) expect(counts[field].ours, field).to.be.at.least(counts[field].mailparser)
  })
})
