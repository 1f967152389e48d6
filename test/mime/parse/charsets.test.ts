import { expect } from 'chai'
import { readMessage } from '../../../server/mime/read-message.ts'
import { message, read } from '../read-corpus.ts'

const EXPECTED: Record<string, [text: string, subject: string]> = {
  'utf-8': ['Grüße aus Köln 👋\n', 'Hello'],
  'latin-1': ['Grüße aus Köln\n', 'Grüße'],
  'windows-1251': ['Привет, мир\n', 'Привет'],
  'windows-1252': ['“Quotes” – 5 €\n', '5 €'],
  'iso-2022-jp': ['こんにちは世界\n', 'こんにちは'],
  'gb18030': ['你好，世界\n', '你好'],
  'koi8-r': ['Привет, мир\n', 'Привет'],
  'euc-kr': ['안녕하세요\n', '안녕'],
  'utf-7': ['+AGg-i +ADw-script+AD4-\n', '+ADw-b+AD4-'],
  'unknown': ['Grüße\n', 'Hi'],
  'wrong': ['Grüße\n', 'Hi'],
}

describe('MIME charsets', () => {
  for (const [charset, [text, subject]] of Object.entries(EXPECTED)) {
    it(`reads ${charset}`, () => {
      const mail = read(`charset-${charset}`)
      expect(mail.bodyText).to.equal(text)
      expect(mail.subject).to.equal(subject)
      expect(mail.problem).to.equal(null)
    })
  }

  it('never decodes UTF-7, by any of its names', () => {
    for (const name of ['utf-7', 'UTF7', 'unicode-1-1-utf-7', 'x-unicode-2-0-utf-7', 'utf-7-imap']) {
      const mail = readMessage(message(`Content-Type: text/html; charset=${name}`, '', '+ADw-script+AD4-'))
      expect(mail.bodyHtml).to.equal('+ADw-script+AD4-')
    }
  })

  it('uses the charset of an HTML page when the header has none', () => {
    const page = Buffer.concat([
      message('Content-Type: text/html', '', '<meta charset="windows-1251">'), Buffer.from([0xcf, 0xf0,
        0xe8])])
    expect(readMessage(page).bodyHtml).to.equal('<meta charset="windows-1251">При')
  })

  it('drops a byte order mark and NULs', () => {
    const raw = message('Subject: a\0b', 'Content-Type: text/plain; charset=utf-8', '', '\ufeffx\0y')
    expect(readMessage(raw)).to.include({ subject: 'ab', bodyText: 'xy' })
  })

  it('returns well-formed strings for malformed bytes', () => {
    const raw = message('Subject: =?utf-16le?B?PdgA?=', 'Content-Type: text/plain; charset=utf-16le',
      'Content-Transfer-Encoding: base64', '', 'PdgA')
    const mail = readMessage(raw)
    expect(mail.subject.isWellFormed()).to.equal(true)
    expect(mail.bodyText.isWellFormed()).to.equal(true)
  })
})
