import { expect } from 'chai'
import { detailsOf } from '../../../server/mime/extract/code-details.ts'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { codeCorpus } from '../../corpus/codes/index.ts'
import { cards, entered, prefixed, recovery } from './code-sentences.ts'
import { anHour, bookings, expired, fifteenMinutes } from './code-times.ts'

const languages = [...new Set(codeCorpus().map(({ language }) => language))].sort()
const all = (sentences: Map<string, string[]>): string[] => [...sentences].flatMap(([tag, texts]) => texts.map((text) => `${tag}: ${text}`))
const textOf = (row: string) => row.slice(row.indexOf(': ') + 2)

/** The rows whose sentences are read otherwise than as they ought to be. */
const wrong = (sentences: Map<string, string[]>, right: string, read: (text: string) => string): string[] => all(sentences)
  .map((row) => [row, read(textOf(row))]).filter(([, codes]) => codes !== right)
  .map(([row, codes]) => `${row} => ${codes}`)
const codesOf = (text: string, subject = 'Info') => findCodes(subject, text).join()

describe('Codes in each language of the corpus', () => {
  it('have their sentences', () => {
    const lists = [cards, prefixed, entered, recovery, bookings, expired, fifteenMinutes]
    for (const sentences of lists) expect([...sentences.keys()]).to.deep.equal(languages)
  })

  it('are not the end of the number of a card, also where nothing else is', () => {
    expect(wrong(cards, '604815', (text) => codesOf(text.replace('*', '604815').replace('#', '4418')))).to.deep.equal([])
    expect(wrong(cards, '7306', (text) => codesOf(text.replace('*', '7306').replace('#', '4418')))).to.deep.equal([])
    expect(wrong(cards, '', (text) => codesOf(text.replace('*', '…').replace('#', '4418')))).to.deep.equal([])
  })

  it('have a prefix behind their purpose', () => {
    for (const code of ['G-604815', 'FB-60481', 'MR-5821']) {
      expect(wrong(prefixed, code.replace(/\D/g, ''), (text) => codesOf(text.replace('*', code))), code).to.deep.equal([])
    }
  })

  it('stand in a sentence that asks to enter them, or to sign in or open a box with them', () => {
    expect(wrong(entered, '604815', (text) => codesOf(text.replace('*', '604815')))).to.deep.equal([])
  })

  it('are all of a list for recovery', () => {
    const lists = ['4HKQ-92XD 7MPT-03WF B5RZ-61CY K8VN-47LS', 'h4kq9-2xd7m pt03w-fb5rz 61cyk-8vn47', '60481593 73062814 19482037 55061932'].map((list) => list.split(' '))
    for (const codes of lists) {
      for (const between of ['\n', '\n\n']) {
        const read = (text: string) => codesOf(`${text}\n\n${codes.join(between)}\n`)
        expect(wrong(recovery, codes.join(), read)).to.deep.equal([])
      }
      expect(wrong(recovery, codes.join(), (text) => codesOf(`${text}\n\n${codes.map((code, i) => `${i + 1}. ${code}`).join('\n')}\n`))).to.deep.equal([])
    }
  })

  it('are none of a booking, also in the subject of a mail that confirms it', () => {
    expect(wrong(bookings, '', (text) => codesOf('SR 4417, 07:25. Good trip!', text.replace('*', 'K7XQ2M')))).to.deep.equal([])
  })

  it('are none that has expired', () => {
    expect(wrong(expired, '', (text) => codesOf(text.replace('*', '604815')))).to.deep.equal([])
  })

  it('say how long they are valid', () => {
    const secondsOf = (text: string) => String(detailsOf(['604815'], 'Info', `604815\n\n${text}`)[0]!.expiresInSeconds)
    expect(wrong(fifteenMinutes, '900', secondsOf)).to.deep.equal([])
    expect(wrong(anHour, '3600', secondsOf)).to.deep.equal([])
  })
})
