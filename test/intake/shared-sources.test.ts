import { expect } from 'chai'
import { openSharedSources, readShared, sourcesOf } from '../../server/intake/shared-sources.ts'

const kibibyte = 1024

const filled = (bytes: number, value: number) => new Uint8Array(bytes).fill(value)

describe('Shared sources: memory of mail under way', () => {
  it('keeps each source until it is removed, and uses its memory again', () => {
    const sources = openSharedSources(256 * kibibyte)
    const lengths = [1, 8 * kibibyte, 20_000, 60_000]
    for (let round = 0; round < 50; round++) {
      const ranges = lengths.map((bytes, i) => sources.add(`${i}`, [filled(bytes, i), filled(0, 9)], bytes)!)
      for (const [i, bytes] of lengths.entries()) {
        expect(readShared(sources.memory, ranges[i]!).equals(filled(bytes, i)), `source ${i} in round ${round}`).to.equal(true)
      }
      for (const i of lengths.keys()) sources.remove(`${i}`)
    }
  })

  it('joins the pieces of a source', () => {
    const sources = openSharedSources(64 * kibibyte)
    const range = sources.add('mail', [Buffer.from('From: a'), Buffer.from('@example.org\r\n')], 21)!
    expect(readShared(sources.memory, range).toString()).to.equal('From: a@example.org\r\n')
  })

  it('has no room for a mail when no free part is long enough', () => {
    const sources = openSharedSources(32 * kibibyte)
    for (const id of ['first', 'second', 'third', 'fourth']) expect(sources.add(id, [], 8 * kibibyte)).to.include({ bytes: 8 * kibibyte })
    expect(sources.add('fifth', [], 1)).to.equal(undefined)
    sources.remove('first')
    sources.remove('third')
    expect(sources.add('fifth', [], 8 * kibibyte + 1), 'two free parts that do not touch').to.equal(undefined)
    expect(sources.add('fifth', [], 8 * kibibyte)).to.not.equal(undefined)
  })

  it('finds the sources of mails in the memory, and the others in the buffer that is passed on', () => {
    const sources = openSharedSources(64 * kibibyte)
    const range = sources.add('second', [Buffer.from('22')], 2)!
    const passed = new Uint8Array(Buffer.from('1333'))
    const found = sourcesOf([{ size: 1 }, { size: 2, range }, { size: 3 }], sources.memory, passed)
    expect(found.map(String)).to.deep.equal(['1', '22', '333'])
  })
})
