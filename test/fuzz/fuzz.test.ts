import { expect } from 'chai'
import { nameIn } from '../../server/mailbox.ts'
import { findCodes } from '../../server/mime/extract/codes.ts'
import { readParts } from '../../server/mime/parse/parts.ts'
import { foldText } from '../../server/store/search/words.ts'
import { findLinks } from '../mime/extract/find-links.ts'
import { newRecipe, randomSource } from './recipes.ts'
import type { Recipe } from './recipes.ts'
import { targets } from './targets.ts'
import type { Target } from './targets.ts'

const kB = 1024

/** The factor of the second input's length, and the maximum factor of its time; linear time gives 4. */
const growth = 4
const maxRatio = 10
/** Milliseconds below which a ratio is not reliable. */
const minMs = 2

/** The minimum milliseconds of several measurements. */
async function timeOf(target: Target, recipe: Recipe, length: number, rounds: number): Promise<number> {
  const run = target.prepare(recipe.make(length))
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const result = run()
    if (result instanceof Promise) await result
    least = Math.min(least, performance.now() - begun)
  }
  return least
}

/**
 * The factor of the time for an input that is four times as long; 1 when both times are too short to measure. A ratio that is too high is
 * measured again, also with longer inputs, and the minimum counts: quadratic time persists, delays by other processes do not.
 */
async function ratioOf(target: Target, recipe: Recipe, length: number): Promise<number> {
  if (await timeOf(target, recipe, length * growth, 1) < minMs) return 1
  let least = Infinity
  for (let round = 0, from = length; round < 4 && least > maxRatio; round++) {
    const ratio = await timeOf(target, recipe, from * growth, 3) / await timeOf(target, recipe, from, 5)
    least = Math.min(least, ratio)
    from = Math.min(from * 2, target.maxBytes / growth)
  }
  return least
}

describe('Hostile input', () => {
  it('takes time linear in its length, in every function that parses untrusted input: 1,000 cases', async function () {
    const seed = 20261121
    const random = randomSource(seed)
    const slow: string[] = []
    for (let i = 0; i < 1_000; i++) {
      const target = targets[i % targets.length]!
      const recipe = newRecipe(random, target.grammars)
      const length = Math.min(8 * kB, target.maxBytes / growth)
      const ratio = await ratioOf(target, recipe, length)
      if (ratio > maxRatio) slow.push(`${target.name}, ${ratio.toFixed(1)} times as long: ${recipe.description}`)
    }
    expect(slow, `seed ${seed}`).to.deep.equal([])
  })

  const known: Record<string, { run: ((input: string) => unknown) | Target, make: (length: number) => string }> = {
    'two runs of combining marks in a text that is searched': {
      run: foldText, make: (length) => `a${'\u0344'.repeat(length / 2)}${'\u0f73'.repeat(length / 2)}`,
    },
    'letters beyond the first plane before words with hyphens': { run: (input) => findCodes('', input), make: (length) => '\u{20000}abc-abc'.repeat(length / 9) },
    'two runs of combining marks in a text with codes': {
      run: (input) => findCodes('', input), make: (length) => `a${'\u0344'.repeat(length / 2)}${'\u0f73'.repeat(length / 2)}`,
    },
    'words with symbols behind labels of passwords': { run: (input) => findCodes('', input), make: (length) => 'password: aB1!cD2 '.repeat(length / 18) },
    'a word of letters, digits and symbols': { run: (input) => findCodes('', input), make: (length) => 'a!1'.repeat(length / 3) },
    'combining marks between halfwidth ones, which are letters': { run: foldText, make: (length) => `a${'\u0301\uff9e'.repeat(length / 2)}` },
    'spaces before an angle bracket that is not there': { run: nameIn, make: (length) => `a${' '.repeat(length)}a>` },
    'a header of spaces without a colon, when it is authenticated': {
      run: targets.find(({ name }) => name === 'authenticateMail')!, make: (length) => `!${' '.repeat(length / 2)}x${'y'.repeat(length / 2)}`,
    },
    'a header of spaces before a colon, when it is authenticated': {
      run: targets.find(({ name }) => name === 'authenticateMail')!, make: (length) => `A: b\r\nTo${' '.repeat(length)}\r:\r\n\r\n`,
    },
    'lines that look like boundaries': {
      run: (input) => readParts(Buffer.from(input)), make: (length) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--c\r\n'.repeat(length / 5)}`,
    },
  }
  for (const [name, { run, make }] of Object.entries(known)) {
    it(`takes time linear in its length: ${name}`, async () => {
      const target: Target = typeof run === 'object' ? run : { name, grammars: ['plain'], maxBytes: Infinity, prepare: (input) => () => run(input) }
      expect(await ratioOf(target, { description: name, make }, 16 * kB)).to.be.below(maxRatio)
    })
  }

  it('gives no link when the host name is longer than the DNS allows', () => {
    const host = (length: number) => '\u4e00\u0344\u0f73'.repeat(length / 3)
    expect(findLinks('', `http://${host(3_900)}.example/`)).to.deep.equal([])
    expect(findLinks(`<a href="http://${host(3_900)}.example/">x</a>`, '')).to.deep.equal([])
    expect(findLinks('', `http://${'a.'.repeat(100)}example/`)).to.have.length(1)
  })

  it('gives codes among its first 1,000 numbers only', () => {
    const numbers = (count: number) => '112233 \r\n'.repeat(count)
    expect(findCodes('', `${numbers(900)}\n\nYour code is 482913.`)).to.include('482913')
    expect(findCodes('', `${numbers(1_100)}\n\nYour code is 482913.`)).to.not.include('482913')
  })
})

describe('Search terms', () => {
  it('are made of text in which each run of combining marks, of any kind, is cut to 30', () => {
    const sorted: string[] = []
    for (let point = 0; point < 0x11_0000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue
      const character = String.fromCodePoint(point)
      const [first] = character.normalize('NFKD')
      // it changes places with a mark of the lowest combining class, or of the highest
      const isMark = `a${first}\u0334`.normalize('NFKD') !== `a${first}\u0334` || `a\u0345${first}`.normalize('NFKD') !== `a\u0345${first}`
      if (first!.normalize('NFKD') === first && isMark) sorted.push(character)
    }
    expect(sorted.length).to.be.above(800)
    for (const mark of sorted) {
      if (foldText(`a${mark.repeat(100)}`).length > 200) expect.fail(`U+${mark.codePointAt(0)!.toString(16)}`)
    }
  })
})
