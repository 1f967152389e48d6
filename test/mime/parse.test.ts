import { expect } from 'chai'
import { openMimeParser } from '../../server/mime/parse.ts'
import type { MimeParser } from '../../server/mime/parse.ts'
import { readMessage } from '../../server/mime/read-message.ts'
import { message, rawOf, textOf } from './read-corpus.ts'

const LIMITS = { threads: 1, timeoutMs: 10_000, memoryMb: 128 }

describe('the mail parser', () => {
  let parser: MimeParser
  before(() => { parser = openMimeParser(LIMITS) })
  after(() => parser.close())

  it('gives from its thread what the reader gives', async () => {
    for (const name of ['alternative-related', 'encoded-words', 'html-only', 'odd-dispositions',
      'charset-iso-2022-jp']) {
      const parsed = await parser.parse(rawOf(name))
      expect(parsed).to.deep.equal(readMessage(rawOf(name)))
    }
  })

  it('answers many at once, each with its own', async () => {
    const raws = Array.from({ length: 300 }, (_, i) => message(`Subject: mail ${i}`, '',
      `Your code is ${100_000 + i}`))
    const answers = Promise.all(raws.map((raw) => parser.parse(raw)))
    expect(parser.pending).to.equal(300)
    const parsed = await answers
    expect(parsed.map(({ subject }) => subject)).to.deep.equal(raws.map((_, i) => `mail ${i}`))
    expect(parsed.map(({ codes }) => codes)).to.deep.equal(raws.map((_, i) => [`${100_000 + i}`]))
    expect(parser.pending).to.equal(0)
  })

  it('leaves the caller its bytes, also those of a view into more', async () => {
    const pool = Buffer.concat([Buffer.from('xxxx'), message('Subject: view', '', 'body')])
    const raw = new Uint8Array(pool.buffer, pool.byteOffset + 4, pool.length - 4)
    expect(await parser.parse(raw)).to.include({ subject: 'view', bodyText: 'body' })
    expect(textOf(raw)).to.equal('Subject: view\r\n\r\nbody')
  })

  it('hands over attachments in memory of their own', async () => {
    const { attachments } = await parser.parse(rawOf('rfc2231-names'))
    expect(attachments.map(({ content }) => [...content])).to.deep.equal([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    expect(attachments.map(({ content }) => content.buffer.byteLength)).to.deep.equal([3, 3, 3])
    expect(attachments[0]!.content).to.be.instanceOf(Uint8Array)
  })

  it('reads headers alone when that is asked', async () => {
    const parsed = await parser.parse(rawOf('alternative-related'), { headersOnly: true })
    expect(parsed).to.deep.include({ subject: 'Welcome', from: 'hello@acme.example', bodyText: '',
      attachments: [], problem: null })
  })
})

describe('the mail parser at its limits', () => {
  const slow = Buffer.concat([message('From: a@example.org', 'Subject: slow', 'Content-Type: text/html', '',
    ''),
    Buffer.alloc(24 * 1024 * 1024, '<p>&amp;')])

  it('ends a task that takes too long, and answers with the headers', async () => {
    const parser = openMimeParser({ ...LIMITS, timeoutMs: 1 })
    const parsed = await parser.parse(slow)
    expect(parsed).to.deep.include({ from: 'a@example.org', subject: 'slow', bodyHtml: '', attachments: [],
      problem: 'This mail took too long to read. Only its header is shown.' })
    await parser.close()
  })

  it('survives a message that takes too much memory', async () => {
    const parser = openMimeParser({ ...LIMITS, memoryMb: 20 })
    const heavy = Buffer.concat([
      message('Subject: heavy', 'Content-Type: image/png', 'Content-Transfer-Encoding: base64', '', ''),
      Buffer.from('YQ=='.repeat(400_000))])
    const raws = [message('Subject: one', '', ''), heavy, message('Subject: two', '', '')]
    const parsed = await Promise.all(raws.map((raw) => parser.parse(raw)))
    expect(parsed.map(({ subject, problem }) => [subject, problem])).to.deep.equal([
      ['one', null],
      ['heavy', 'This mail took too much memory to read. Only its header is shown.'],
      ['two', null]])
    await parser.close()
  })

  it('rejects what waits when it is closed, and what comes after', async () => {
    const parser = openMimeParser(LIMITS)
    const waiting = [parser.parse(slow), parser.parse(message('Subject: x', '', ''))].map((answer) =>
      answer.then(() => 'answered', (error: Error) => error.message))
    await parser.close()
    expect(await Promise.all(waiting)).to.deep.equal(['The mail parser is closed.',
      'The mail parser is closed.'])
    expect(await parser.parse(slow).catch((error: Error) =>
      error.message)).to.equal('The mail parser is closed.')
    expect(parser.pending).to.equal(0)
    await parser.close()
  })
})
