import { expect } from 'chai'
import fc from 'fast-check'
import { MailParser } from '../../../server/smtp/mail-parser.ts'
import type { MailSource } from '../../../server/smtp/mail-source.ts'

describe('SMTP mail parser', () => {
  it('finds the same end and the same bytes with any boundaries of chunks', async () => {
    const unit = fc.constantFrom('a', '.', '\r', '\n', '\r\n', '\r\n.', '\r\n..', '\n.')
    await fc.assert(fc.asyncProperty(fc.array(fc.string({ unit, maxLength: 6 }), { maxLength: 8 }), async (parts) => {
      const sent = `${parts.join('')}\r\n.\r\nNOOP\r\n`
      const [, kept, rest] = /^((?:[^]*?\r\n)??)\.\r\n([^]*)$/.exec(sent)!
      const expected = [kept!.replaceAll(/(^|\n)\.\./g, '$1.').replaceAll(/\r\n|\r|\n/g, '\r\n'), commandsIn(rest!)]
      expect(await parse([...parts, '\r\n.\r\nNOOP\r\n'])).to.deep.equal(expected)
      expect(await parse([sent])).to.deep.equal(expected)
      expect(await parse([...sent])).to.deep.equal(expected)
    }), { numRuns: 500 })
  })

  it('finds the end of a mail of stuffed dots in linear time', async () => {
    const [kept] = await parse(['..\r\n'.repeat(100_000), '.\r\n'])
    expect(kept).to.have.length(300_000)
  })
})

const commandsIn = (text: string) => text.split(/\r?\n/).slice(0, -1)

/** Returns the stored bytes of a mail, and the commands after it. */
async function parse(chunks: string[]) {
  const parser = new MailParser()
  const commands: string[] = []
  let kept: Promise<string> | undefined
  parser.oncommand = (command, next) => {
    if (kept) commands.push(command.toString('latin1'))
    else kept = read(parser.startDataMode(1e6) as unknown as MailSource, () => parser.continue())
    next?.()
  }
  for (const chunk of ['DATA\r\n', ...chunks]) parser.write(Buffer.from(chunk, 'latin1'))
  const text = await kept
  await new Promise<void>((resolve) => { parser.end(() => resolve()) })
  return [text, commands]
}

async function read(source: MailSource, done: () => void) {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  done()
  return Buffer.concat(chunks).toString('latin1')
}
