import { expect } from 'chai'
import { corpusMails } from './corpus/mails/index.ts'
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

  it('is read correctly at least as often as by mailparser, field by field', async () => {
    const counts = await countRight()
    for (const field of fields) expect(counts[field].ours, field).to.be.at.least(counts[field].mailparser)
  })
})
