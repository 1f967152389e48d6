import { expect } from 'chai'
import type { ParsedMessage } from '../../server/mime/parsed-message.ts'
import { readMessage } from '../../server/mime/read-message.ts'
import { message } from './read-corpus.ts'

const MB = 1024 * 1024

/** Far above the time of each mail, and far below the ten seconds after which its thread is ended. */
const maxMs = 3_000

function readInTime(...pieces: (Buffer | string)[]): ParsedMessage {
  const raw = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
  const start = performance.now()
  const parsed = readMessage(raw)
  expect(performance.now() - start).to.be.lessThan(maxMs)
  expect(parsed.attachments.length).to.be.at.most(1_000)
  expect(parsed.codes.length).to.be.at.most(10)
  expect(parsed.links.length).to.be.at.most(200)
  expect(JSON.stringify(parsed.headers).length).to.be.at.most(600 * 1024)
  return parsed
}

const multipart = (boundary = 'b'): string =>
  `Subject: x\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`
const html = (body: string): string => `Subject: x\r\nContent-Type: text/html\r\n\r\n${body}`

describe('MIME: hostile mail', () => {
  it('of 10,000 attachments keeps the first 1,000', () => {
    const parsed = readInTime(multipart(), '--b\r\nContent-Type: image/png\r\n\r\nx\r\n'.repeat(10_000))
    expect(parsed.attachments).to.have.length(1_000)
    expect(parsed.problem).to.equal('Only the first 1000 attachments of this mail were kept.')
  })

  it('of a million parts is read up to the 10,000th', () => {
    const parsed = readInTime(multipart(), '--b\r\n\r\nx\r\n'.repeat(1_000_000))
    expect(parsed.bodyText).to.equal(Array(10_000).fill('x').join('\n'))
    expect(parsed.problem).to.equal('Only the first 10000 parts of this mail were read.')
  })

  it('of 5,000 nested multiparts still shows its text', () => {
    const open = Array.from({ length: 5_000 }, (_, i) =>
      `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`).join('')
    expect(readInTime(multipart('b0'), open,
      '--b5000\r\n\r\ndeep\r\n--b5000--\r\n').bodyText).to.equal('deep')
  })

  it('of 5,000 open boundaries and a million similar lines', () => {
    const open = Array.from({ length: 5_000 }, (_, i) =>
      `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`).join('')
    readInTime(multipart('b0'), open, '--b4999x\r\n'.repeat(1_000_000))
  })

  it('of 1,000 nested messages is one attachment', () => {
    expect(readInTime('Content-Type: message/rfc822\r\n\r\n'.repeat(1_000)).attachments).to.have.length(1)
  })

  it('with a header line of 20 MB', () => {
    const parsed = readInTime(`X-Long: ${'a'.repeat(20 * MB)}\r\nSubject: found\r\n\r\nbody`)
    expect(parsed).to.include({ subject: 'found', bodyText: 'body',
      problem: 'The header of this mail is too long to be kept in full.' })
  })

  it('with a header of 20 MB without an end', () => {
    expect(readInTime('Subject: found\r\n', 'x:y\r\n'.repeat(4 * MB)).subject).to.equal('found')
    expect(readInTime('Subject: found', '\r\n x'.repeat(4 * MB)).subject.startsWith('found')).to.equal(true)
    expect(readInTime('Subject: found\r\n', '\r'.repeat(20 * MB)).subject).to.equal('found')
    expect(readInTime(':'.repeat(20 * MB)).headers).to.deep.equal({})
  })

  it('to 100,000 recipients', () => {
    const to = Array.from({ length: 100_000 }, (_, i) => `"User, ${i}" <u${i}@example.org>`).join(',\r\n ')
    expect(readInTime(`To: ${to}\r\nFrom: ${to}\r\nSubject: found\r\n\r\n`))
      .to.include({ subject: 'found', from: 'u0@example.org', fromName: 'User, 0' })
  })

  it('with 1 MB of encoded words', () => {
    for (const word of ['=?utf-8?q?a?=', '=?utf-8?b?YQ==?= ', '=?utf-8?q?', '=?', '=?x?q??= =?y?b??=']) {
      const run = word.repeat(MB / word.length)
      readInTime(`Subject: ${run}\r\nFrom: ${run} <a@example.org>\r\n`,
        `Content-Type: text/plain; name="${run}"\r\n\r\n`)
    }
  })

  it('with unclosed brackets and quotes in its From', () => {
    for (const char of ['<', '"', '(', '@', '\\', ',', ':', ';', '"\\', '(\\', '<@', 'a@', '=?']) {
      readInTime(`From: ${char.repeat(500_000)}\r\n\r\n`)
    }
  })

  it('with 100,000 continuations of a file name', () => {
    for (const suffix of ['*', '']) {
      const name = Array.from({ length: 100_000 }, (_, i) => `filename*${i}${suffix}=a`).join('; ')
      const parsed = readInTime(`Content-Type: image/png\r\nContent-Disposition: attachment; ${name}\r\n\r\n`)
      expect(parsed.attachments[0]!.filename).to.match(/^a{255}$/)
    }
    readInTime(`Content-Type: a/b; ${'name*999999999=a;'.repeat(60_000)}\r\n\r\n`)
    readInTime(`Content-Type: multipart/mixed; boundary="${'b'.repeat(MB)}"\r\n\r\n`)
  })

  const pages: Record<string, string> = {
    'text': 'word '.repeat(3.2 * MB), 'a million tags': '<b>'.repeat(1_000_000),
      'open tags': '<a href="https://x.example">'.repeat(500_000),
    'closing tags that were never opened': '<p>'.repeat(100_000) + '</q>'.repeat(3 * MB),
      'brackets': '<'.repeat(16 * MB),
    'entities': '&amp;'.repeat(3 * MB), 'half entities': '&'.repeat(16 * MB),
      'a comment': `<!--${'-'.repeat(16 * MB)}`,
    'attributes': `<a ${'b="c" '.repeat(2.5 * MB)}>`,
      'a long attribute': `<a href="https://${'x'.repeat(16 * MB)}">x</a>`,
    'a style without end': `<style>${'</styl'.repeat(2.5 * MB)}`, 'white space': ' \n'.repeat(8 * MB),
      'meta': '<meta '.repeat(2.5 * MB),
    'digits': '1'.repeat(16 * MB), 'digits apart': '1 '.repeat(8 * MB),
      'codes': '<p>code 482913</p>'.repeat(900_000),
    'dashes': 'A-'.repeat(8 * MB), 'codes of letters': 'code aB1c2D\n'.repeat(1_300_000),
      'words for codes': 'code '.repeat(3 * MB),
    'URLs': 'https://x.example/a '.repeat(800_000), 'schemes': 'https://'.repeat(2 * MB),
      'brackets in a URL': `https://x.example/${'('.repeat(16 * MB)}`,
    'no letters': '\u200d'.repeat(5 * MB),
  }
  for (const [name, page] of Object.entries(pages)) {
    it(`with 16 MB of ${name}, as HTML and as text`, () => {
      const parsed = readInTime(html(page))
      expect(parsed.bodyText.length).to.be.at.most(256 * 1024)
      readInTime('Subject: x\r\n\r\n', page)
    })
  }

  it('with bodies of malformed encodings', () => {
    for (const [encoding, body] of [['base64', '='.repeat(16 * MB)], ['base64', 'YQ=='.repeat(4 * MB)],
      ['base64', '\u0000*'.repeat(8 * MB)],
      ['quoted-printable', '='.repeat(16 * MB)], ['quoted-printable', '=\n'.repeat(8 * MB)],
        ['quoted-printable', ' '.repeat(16 * MB)],
      ['quoted-printable', '= '.repeat(8 * MB)], ['quoted-printable', '=3D'.repeat(5 * MB)]] as const) {
      readInTime(message('Content-Type: text/plain', `Content-Transfer-Encoding: ${encoding}`, '', ''), body)
      readInTime(message('Content-Type: image/png', `Content-Transfer-Encoding: ${encoding}`, '', ''), body)
    }
  })

  it('of uuencode with wrong lengths, and without an end', () => {
    for (const body of ['M\n'.repeat(2 * MB), 'begin 644 a\n'.repeat(MB), 'begin '.repeat(MB), 'e\n'.repeat(2 * MB), `M${'!'.repeat(4 * MB)}`]) {
      const { attachments: [attachment] } = readInTime('Content-Type: image/png\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a\n', body)
      expect(attachment!.size).to.be.at.most(body.length + 12)
    }
  })

  it('in stateful charsets', () => {
    for (const charset of ['iso-2022-jp', 'gb18030', 'big5', 'utf-16', 'utf-7', 'hz-gb-2312', 'euc-jp',
      'x'.repeat(10_000)]) {
      readInTime(message(`Content-Type: text/plain; charset=${charset}`, '', ''),
        '\x1b$B\x1b(B~{'.repeat(2 * MB))
    }
  })

  it('of flowed text without hard line breaks', () => {
    readInTime(message('Content-Type: text/plain; format=flowed; delsp=yes', '', ''), 'a \r\n'.repeat(4 * MB))
    readInTime(message('Content-Type: text/plain; format=flowed', '', ''), '>'.repeat(8 * MB),
      '> \n'.repeat(MB))
  })
})
