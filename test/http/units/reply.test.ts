import { expect } from 'chai'
import { encodeInTurns } from '../../../server/http/operations/reply.ts'

async function encode(answer: unknown) {
  let turns = 0
  const held: number[] = []
  const json = await encodeInTurns(answer, { turn: async () => { turns++ }, hold: (bytes) => held.push(bytes) })
  return { text: json.toString(), turns, held }
}

describe('encodeInTurns', () => {
  it('writes the JSON of a value', async () => {
    for (const value of [
      null, true, 1.5, 'text', [], {}, [[], {}, null], { a: undefined, b: [1, undefined, 'x'], c: { '"d"': null }, e: undefined },
      `x${'\u{1f600}'.repeat(3)}`, { ['__proto__']: 1 },
    ]) expect((await encode(value)).text).to.equal(JSON.stringify(value))
  })

  it('takes a turn after each 256 Ki characters, of one text and of many, and counts them first', async () => {
    const texts = Array.from({ length: 2_000 }, () => '\u0001'.repeat(1_000))
    for (const value of [texts, [texts.join('')]]) {
      const { text, turns, held } = await encode(value)
      expect(text).to.equal(JSON.stringify(value))
      expect(turns).to.be.at.least(7)
      expect([held[0], Math.max(...held), held.at(-1)]).to.deep.equal([2_000_000, Buffer.byteLength(text), 0])
    }
  })

  it('copies values that are encoded already', async () => {
    expect((await encode({ count: 2, items: [Buffer.from('{"a":1}'), Buffer.from('"ä"')] })).text).to.equal('{"count":2,"items":[{"a":1},"ä"]}')
  })
})
