import { expect } from 'chai'
import { decodeWords } from '../../dashboard/src/features/mail-reader/parts/decode-words.ts'
import { processorMs } from '../support/processor-time.ts'

describe('Dashboard: parts of hostile mail', () => {
  const globals = { document: { documentElement: { lang: 'en' } }, window: {} } // of which the texts take the language
  before(() => void Object.assign(globalThis, globals))
  after(() => {
    for (const name of Object.keys(globals)) delete (globalThis as Record<string, unknown>)[name]
  })

  it('are read in the same time with one field many times in an event as outside of it: a calendar', async () => {
    const { readEvents } = await import('../../dashboard/src/features/mail-reader/files/read-events.ts')
    const fields = 'A:\n'.repeat(100_000)
    const timeToRead = (calendar: string) => processorMs(() => readEvents(calendar))
    timeToRead(fields)
    expect(timeToRead(`BEGIN:VEVENT\n${fields}END:VEVENT`) / (timeToRead(fields) + 10)).to.be.below(5)
    expect(readEvents(`BEGIN:VEVENT\n${fields}END:VEVENT`).events).to.have.lengthOf(1)
  })

  it('are decoded when they have a long word after another: a header', () => {
    expect(decodeWords(`=?utf-8?q?a?= =?utf-8?q?${'b'.repeat(250_000)}?=`)).to.equal(`a${'b'.repeat(250_000)}`)
  })
})
