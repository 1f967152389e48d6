import { expect } from 'chai'
import { readBannedWords } from '../../lint/banned-words.ts'
import { findBannedWords } from '../../lint/words.ts'

const words = readBannedWords()

/** The banned words of a source text, each with its line. */
const find = (source: string, path = 'example.ts') =>
  findBannedWords(path, source, words).map(({ line, banned }) => `${line} ${banned.word}`)

describe('The check `words`: banned words', () => {
  it('are found in comments, in whole words and at the begin of a sentence', () => {
    expect(find('// nobody answers')).to.deep.equal(['1 nobody'])
    expect(find('/** Waits. What comes later is ignored. */')).to.deep.equal(['1 ^what'])
    expect(find('const a = 1\n/**\n * Text.\n * @returns what is left\n */\nconst b = 2')).to.deep.equal(['2 ^what'])
    expect(find('const a = 1 // it is removed by and\n            // by')).to.deep.equal(['1 by and by'])
  })

  it('are found in the titles of tests', () => {
    expect(find("describe('what belongs to others', () => { it('is seen by nobody', () => {}) })"))
      .to.deep.equal(['1 ^what', '1 what belongs to others', '1 nobody'])
    expect(find("describe.skip('whoever asks', () => {})")).to.deep.equal(['1 ^whoever', '1 whoever'])
  })

  it('are found in names that a file declares, and in its own name', () => {
    expect(find('const patience = 1\nfunction noteOutcome(wish: string) {}\ninterface A { longestMs: number }\ntype Crew = 1'))
      .to.deep.equal(['1 patience', '2 note…', '2 wish', '3 longest…', '4 crew'])
    expect(find('const { wish: input, a: wish } = b')).to.deep.equal(['1 wish'])
    expect(find('', 'server/smtp/patience.ts')).to.deep.equal(['1 patience'])
  })

  it('are found in comments, docstrings and names of Python', () => {
    const source = 'def note_outcome(value):\n    \"\"\"\n    Waits.\n    :returns: what is left\n    \"\"\"\n    wish = 1  # nobody answers\n'
    expect(find(source, 'example.py')).to.deep.equal(['1 note…', '2 ^what', '6 nobody', '6 wish'])
    expect(find('', 'python/src/mayfly/_patience.py')).to.deep.equal(['1 patience'])
  })

  it('are not found in other words, in code, in addresses, in questions and in examples', () => {
    expect(find([
      '// it says what happened; `nobody` is a name, and nobody@example.org an address',
      '// What is a lease?',
      '/**\n * Sends.\n * @example\n * wish.by(and) // what is sent\n * @returns the answer\n */',
      'const notes = 1, mostly = 2, notebook = 3, atMost = 4',
      "it('answers what was asked for', () => {})",
      "const text = 'What nobody knows'",
      'const a = { wish: 1 }, { wish } = a',
    ].join('\n'))).to.deep.equal([])
  })

  it('come from the tables of STYLE.md; a missing table is an error', () => {
    expect(() => readBannedWords('# Glossary\n\n## Banned in text\n')).to.throw('STYLE.md has no table "Banned in text"')
  })
})
