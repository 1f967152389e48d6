import { expect } from 'chai'
import { readTable } from '../../dashboard/src/features/mail-reader/files/read-table.ts'
import { processorMs } from '../support/processor-time.ts'

describe('Dashboard: rows of a file', () => {
  for (const [text, ...rows] of [
    ['a,b\r\nc,d\r\n', ['a', 'b'], ['c', 'd']],
    ['a,b\rc,d\r', ['a', 'b'], ['c', 'd']],
    ['a,b\nc,d', ['a', 'b'], ['c', 'd']],
    ['\ufeffa;b\rc,d;e', ['a', 'b'], ['c,d', 'e']],
    ['a\tb\n\nc,d\te', ['a', 'b'], [''], ['c,d', 'e']],
    ['"a,\r\n""b""",c\n,d', ['a,\r\n"b"', 'c'], ['', 'd']],
    ['a,"b" and c\nd', ['a', 'b and c'], ['d']],
    ['a,b "c", d\ne', ['a', 'b "c"', ' d'], ['e']],
    ['a,"b\nc,d', ['a', 'b\nc,d']],
    ['\r', ['']],
    [''],
  ] as [string, ...string[][]][]) {
    it(`are those of ${JSON.stringify(text)}`, () => expect(readTable(text)).to.deep.equal({ rows, isCut: false }))
  }

  const timeToRead = (text: string): number => processorMs(() => readTable(text))

  for (const [name, textOf] of Object.entries({
    'a CR after a long cell': (length: number) => `${'a'.repeat(length)}\rb,c`,
    'CRs alone': (length: number) => '\r'.repeat(length),
    'rows with a CR at their end': (length: number) => '1,Ada Lovelace,some text of a row\r'.repeat(length / 34),
    'quotes': (length: number) => '"'.repeat(length),
    'quoted cells with text after them': (length: number) => '"a"b'.repeat(length / 4),
    'a quoted cell with a CR after it': (length: number) => `"${'a""'.repeat(length / 3)}"b\rc`,
    'cells that begin with a quote': (length: number) => 'x",'.repeat(length / 3),
    'delimiters': (length: number) => ','.repeat(length),
  })) {
    it(`are found in linear time in ${name}`, () => {
      timeToRead(textOf(20_000))
      expect(timeToRead(textOf(20_000)) / (timeToRead(textOf(2_000)) + 2)).to.be.below(20)
    })
  }
})
