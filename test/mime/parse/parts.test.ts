import { expect } from 'chai'
import { safeFilename } from '../../../server/mime/parse/attachment.ts'
import { readMessage } from '../../../server/mime/read-message.ts'
import { contentOf, filesOf, message, rawOf, read, textOf } from '../read-corpus.ts'

const facts = (name: string): unknown[] => read(name).attachments
  .map(({ filename, contentType, contentId, isInline }) => ({ filename, contentType, contentId, isInline }))

describe('MIME parts', () => {
  it('are bodies, inline images, invitations, messages and files', () => {
    const mail = read('alternative-related')
    expect(mail.bodyText).to.equal('Welcome! Your code is 482913.')
    expect(mail.bodyHtml).to.equal('<p>Welcome! <img src="cid:logo@acme"> '
      + '<a href="https://acme.example/verify?t=1&amp;x=2">Verify</a></p>')
    expect(mail.codes).to.deep.equal(['482913'])
    expect(mail.links).to.deep.equal([{ url: 'https://acme.example/verify?t=1&x=2', text: 'Verify' }])
    expect(facts('alternative-related')).to.deep.equal([
      { filename: 'attachment-1.png', contentType: 'image/png', contentId: 'logo@acme', isInline: true },
      { filename: 'attachment-2.ics', contentType: 'text/calendar', contentId: null, isInline: false },
      { filename: 'Inner mäil x.eml', contentType: 'message/rfc822', contentId: null, isInline: false },
      { filename: 'notes.txt', contentType: 'text/plain', contentId: null, isInline: false },
    ])
  })

  it('have a Content-ID without control characters, of at most 250 characters', () => {
    const idOf = (value: string) =>
      readMessage(message('Content-Type: image/png', 'Content-Disposition: attachment', `Content-ID: ${value}`, '', 'x')).attachments[0]!.contentId
    expect(idOf('<a\u0001\u007f@b>')).to.equal('a@b')
    expect(idOf(`<${'\u0001'.repeat(400)}>`)).to.equal(null)
    expect(idOf(`<${'a'.repeat(400)}>`)).to.equal('a'.repeat(250))
  })

  it('are pages by a type in quotes, and that of XHTML', () => {
    for (const type of ['"text/html"', 'application/xhtml+xml; charset=utf-8']) {
      expect(readMessage(message(`Content-Type: ${type}`, '', '<p>Your code is <b>482913</b></p>')), type)
        .to.deep.include({ bodyHtml: '<p>Your code is <b>482913</b></p>', codes: ['482913'], attachments: [] })
    }
  })

  it('are pages without a type, where the body begins as a page does', () => {
    const page = '<!DOCTYPE html>\r\n<html><body><p>Your code is <b>482913</b></p></body></html>'
    for (const body of [page, `\r\n${page}`, page.slice(17)]) {
      const { bodyText, bodyHtml, codes } = readMessage(message('From: a@acme.example', '', body))
      expect({ bodyText, bodyHtml, codes }, body).to.deep.equal({ bodyText: 'Your code is 482913', bodyHtml: body.replaceAll('\r', ''), codes: ['482913'] })
    }
    expect(readMessage(message('Content-Type: text/plain', '', page))).to.deep.include({ bodyHtml: '' })
    expect(readMessage(message('From: a@acme.example', '', 'I wrote <html> here.'))).to.deep.include({ bodyText: 'I wrote <html> here.', bodyHtml: '' })
  })

  it('are read from the page where the text shows nothing', () => {
    const alternative = (text: string) => message('Content-Type: multipart/alternative; boundary=b', '', '--b', 'Content-Type: text/plain; charset=utf-8', '', text,
      '--b', 'Content-Type: text/html', '', '<p>Your code is 482913</p>', '--b--')
    const placeholders = ['Please view this email in an HTML capable client.', 'Your mail client does not support HTML. View it online: https://acme.example/v/1',
      'Diese E-Mail ist im HTML-Format.', 'Veuillez utiliser un lecteur compatible HTML.', 'このメールはHTML形式です。']
    for (const text of ['\u00a0', '\u200b\u200c \u00ad', '\ufeff', ...placeholders]) expect(readMessage(alternative(text)).bodyText, JSON.stringify(text)).to.equal('Your code is 482913')
  })

  it('are no attachment when they are an alternative in a dialect of HTML, beside a body', () => {
    const mail = (kind: string, type: string, ...header: string[]) => readMessage(message(`Content-Type: multipart/${kind}; boundary=b`, '', '--b', 'Content-Type: text/plain', '', 'Hi',
      '--b', `Content-Type: ${type}`, ...header, '', '<html amp4email></html>', '--b', 'Content-Type: text/html', '', '<p>Hi</p>', '--b--'))
    for (const type of ['text/x-amp-html', 'text/x-amp-html; charset=utf-8', 'text/watch-html']) {
      expect(mail('alternative', type), type).to.deep.include({ bodyText: 'Hi', bodyHtml: '<p>Hi</p>', attachments: [] })
      expect(mail('mixed', type).attachments, type).to.have.length(1)
      expect(mail('alternative', type, 'Content-Disposition: attachment').attachments, type).to.have.length(1)
      expect(mail('alternative', type, 'Content-Disposition: inline; filename=a.html').attachments, type).to.have.length(1)
    }
    expect(mail('alternative', 'text/calendar').attachments).to.have.length(1)
    expect(readMessage(message('Content-Type: multipart/alternative; boundary=b', '', '--b', 'Content-Type: text/x-amp-html', '', '<p>Hi</p>', '--b--')).attachments).to.have.length(1)
  })

  it('keep their bytes: calendars, messages and text files as well', () => {
    const [image, calendar, inner, notes] = filesOf(rawOf('alternative-related')).map(([, content]) => content)
    expect(image).to.equal('\x89PNG\r\n\x1a\n')
    expect(calendar).to.equal('BEGIN:VCALENDAR\r\nEND:VCALENDAR')
    expect(inner).to.equal('From: inner@example.org\r\nSubject: =?utf-8?q?Inner_m=C3=A4il/x?=\r\n'
      + 'Content-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\nContent-Type: text/plain\r\n\r\ninner text'
      + '\r\n--in--\r\n')
    expect(notes).to.equal('Gr\xfc\xdfe\r\nline')
  })

  it('keep every byte under every encoding', () => {
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 7) % 256))
    const quoted = [...bytes].map((b) => `=${b.toString(16).padStart(2, '0')}`).join('').replace(/.{75}/g,
      '$&=\r\n')
    const encodings: [string, Buffer][] = [
      ['base64', Buffer.from(bytes.toString('base64').replace(/.{76}/g, '$&\r\n'))],
      ['quoted-printable', Buffer.from(quoted)], ['8bit', bytes], ['binary', bytes], ['7bit', bytes],
        ['x-own', bytes],
    ]
    for (const [encoding, body] of encodings) {
      const raw = Buffer.concat([
        message('Content-Type: multipart/mixed; boundary=b', '', '--b',
          'Content-Type: text/plain; charset=utf-16',
          `Content-Transfer-Encoding: ${encoding.toUpperCase()} (comment)`,
            'Content-Disposition: attachment', '', ''),
        body, message('', '--b--')])
      const [attachment] = readMessage(raw).attachments
      expect(contentOf(raw, attachment!).equals(bytes), encoding).to.equal(true)
      expect(attachment!.size).to.equal(1024)
      expect(attachment!.range).to.include({ offset: raw.indexOf(body), length: body.length })
    }
  })

  it('are decoded from uuencode, by each name of the encoding', () => {
    const lines = ['a note before it', 'begin 644 url.txt', "::'1T<#HO+W=W=RYW:6MI<&5D:6$N;W)G#0H", '`', 'end', 'and behind it']
    for (const encoding of ['x-uuencode', 'X-UUEncode', 'uuencode', 'x-uue', 'uue']) {
      const raw = message('Content-Type: image/png', `Content-Transfer-Encoding: ${encoding}`, '', ...lines)
      const { attachments } = readMessage(raw)
      expect(attachments.map((attachment) => [attachment.size, textOf(contentOf(raw, attachment))]), encoding)
        .to.deep.equal([[26, 'http://www.wikipedia.org\r\n']])
      expect(readMessage(message(`Content-Transfer-Encoding: ${encoding}`, '', ...lines)).bodyText).to.equal('http://www.wikipedia.org\n')
    }
  })

  it('are read from damaged uuencode as far as possible', () => {
    const decoded = (...lines: string[]) => filesOf(message('Content-Type: image/png', 'Content-Transfer-Encoding: x-uuencode', '', ...lines))[0]![1]
    expect(decoded('begin 644 a', '#0V%T'), 'no end').to.equal('Cat')
    expect(decoded('begin 644 a', '$````', 'end'), 'spaces lost at the end of a line').to.equal('\0\0\0\0')
    expect(decoded('begin 644 a', 'M0V%T', 'end')).to.have.length.of.at.most('begin 644 a\r\nM0V%T\r\nend'.length)
    expect(decoded('no uuencode'), 'no begin').to.equal('no uuencode')
    expect(decoded(''), 'empty').to.equal('')
  })

  it('have names by RFC 2231, by encoded words, in other charsets', () => {
    expect(facts('rfc2231-names')).to.deep.equal([
      { filename: '€ ratesü 2026.pdf', contentType: 'application/pdf', contentId: null, isInline: false },
      { filename: 'Jörg.bin', contentType: 'application/octet-stream', contentId: null, isInline: false },
      { filename: 'naïve.png', contentType: 'image/png', contentId: null, isInline: false },
    ])
  })

  it('follow their disposition, also a malformed one', () => {
    const mail = read('odd-dispositions')
    expect(mail.bodyText).to.equal('First\nSecond')
    expect(mail.bodyHtml).to.equal('')
    expect(facts('odd-dispositions')).to.deep.equal([
      { filename: 'log.txt', contentType: 'text/plain', contentId: null, isInline: true },
      { filename: 'page.html', contentType: 'text/html', contentId: null, isInline: false },
      { filename: 'attachment-3.bin', contentType: 'application/octet-stream', contentId: null,
        isInline: false },
      { filename: 'attachment-4.jpg', contentType: 'image/jpeg', contentId: null, isInline: true },
    ])
  })

  it('of a bounce are attached', () => {
    const mail = read('bounce')
    expect(mail.bodyText).to.equal('Your mail could not be delivered.')
    expect(filesOf(rawOf('bounce'))).to.deep.equal([
      ['attachment-1.txt', 'Reporting-MTA: dns; mx.example.org\r\n'], ['attachment-2.txt', 'Subject: hi']])
  })

  it('are read as text when the declared boundary is not found', () => {
    const mail = read('broken-boundary')
    expect(mail.bodyText).to.include('Your code is 482913')
    expect(mail.codes).to.deep.equal(['482913'])
    expect(mail.problem).to.equal('The parts of this mail cannot be told apart.')
  })

  it('may end without the closing boundary', () => {
    const mail = read('missing-end')
    expect(mail.bodyText).to.equal('Text')
    expect(filesOf(rawOf('missing-end'))).to.deep.equal([['a.zip', 'PK\x03\x04']])
  })

  it('may be empty, without header, or closed by an outer boundary', () => {
    const mail = readMessage(message('Content-Type: multipart/mixed; boundary=a', '', '--a', '--a', '',
      'one', '--a',
      'Content-Type: multipart/alternative; boundary=b', '', '--b', '', 'two', '--a  ', '', 'three', '--a--',
        '', '--a', '', 'four'))
    expect(mail.bodyText).to.equal('one\ntwo\nthree')
  })

  it('are split by boundaries also when one boundary is the prefix of another', () => {
    const mail = readMessage(message('Content-Type: multipart/mixed; boundary="x"', '', '--x', '',
      '--xy is text', '--x-- ', 'end'))
    expect(mail.bodyText).to.equal('--xy is text')
  })

  it('have flowed text unwrapped', () => {
    expect(read('flowed').bodyText).to.equal('A line that goes on here.\n> quoted text\n-- \nJane\n')
  })

  it('have a text from the HTML when there is no text part', () => {
    const mail = read('html-only')
    expect(mail.bodyText).to.equal('Home\n\nAlmost there\n\nYour code is 719 204.\n\nA B\n'
      + 'Confirm address Unsubscribe')
    expect(mail.codes).to.deep.equal(['719204'])
    expect(mail.links).to.deep.equal([
      { url: 'https://acme.example/confirm?token=abc', text: 'Confirm address' },
      { url: 'https://acme.example', text: 'Home' },
      { url: 'https://acme.example/unsubscribe', text: 'Unsubscribe' }])
  })

  it('are an attachment when the only part is not text', () => {
    const raw = message('Content-Type: application/pdf; name=a.pdf', 'Content-Transfer-Encoding: base64', '',
      'JVBERi0=')
    expect(filesOf(raw)).to.deep.equal([['a.pdf', '%PDF-']])
  })

  it('are decoded without characters that are not base64', () => {
    const raw = message('Content-Type: image/gif', 'Content-Transfer-Encoding: base64', '', 'R0*l\u00e4G',
      '', 'ODlh!', 'YQ==', 'Yg==')
    expect(filesOf(raw)[0]![1]).to.equal('GIF89aab')
  })

  it('are text in base64 with a plain footer of a mailing list', () => {
    const encoded = Buffer.from('Your code is 730184.\n').toString('base64')
    const read = (type: string, ...lines: string[]) => readMessage(message(`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', ...lines))
    for (const footer of [['', '-- ', 'Sent by the list', 'https://lists.example/'], ['_'.repeat(47), 'dev mailing list', 'dev@lists.example'],
      ['', 'You get this mail as a member of dev.']]) {
      expect(read('text/plain', encoded, ...footer).bodyText).to.equal(`Your code is 730184.\n\n${footer.join('\n')}`)
    }
    const { bodyHtml, codes } = read('text/html', encoded, '', '--', 'Sent by the list')
    expect({ bodyHtml, codes }).to.deep.equal({ bodyHtml: 'Your code is 730184.\n', codes: ['730184'] })
    expect(read('text/plain', 'WW91 ciBj b2Rl', 'IGlz').bodyText).to.equal('Your code is')
    expect(read('text/plain', 'WW91ciBj', 'b2 Rl', encoded.repeat(2)).bodyText).to.match(/^Your codeYour code is/)
  })

  it('are text as it is where that is declared as base64 by mistake', () => {
    for (const body of ['Your code is 730184. Have fun!', '<p>Your code is 730184.</p>', '您的验证码是730184']) {
      expect(readMessage(message('Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64', '', body)).bodyHtml).to.equal(body)
    }
  })

  it('are decoded where the name of the encoding is in quotes', () => {
    expect(readMessage(message('Content-Transfer-Encoding: "base64"', '', 'SGVsbG8=')).bodyText).to.equal('Hello')
  })

  it('keep malformed quoted-printable as it is', () => {
    const raw = message('Content-Transfer-Encoding: quoted-printable', '', 'a=3Db =4 =zz trailing  ',
      'soft= ', 'joined=')
    expect(readMessage(raw).bodyText).to.equal('a=b =4 =zz trailing\nsoftjoined')
  })
})

describe('MIME attachment names', () => {
  const names: [given: string, safe: string][] = [
    ['../../etc/passwd', 'passwd'], ['C:\\Users\\jane\\report.pdf', 'report.pdf'], ['a\r\nb\0c.txt',
      'a bc.txt'],
    ['..', ''], ['/', ''], ['  ', ''], ['x/', ''], ['gpj.\u202eexe', 'gpj.exe'], ['.profile', '.profile'],
      ['näme 1.pdf', 'näme 1.pdf'],
  ]
  for (const [given, safe] of names) {
    it(`makes ${JSON.stringify(safe)} of ${JSON.stringify(given)}`, () =>
      expect(safeFilename(given)).to.equal(safe))
  }

  it('have at most 255 bytes and keep their extension', () => {
    const name = safeFilename(`${'ä€👋'.repeat(100)}.pdf`)
    expect(Buffer.byteLength(name)).to.be.within(248, 255)
    expect(name.endsWith('.pdf')).to.equal(true)
    expect(name.isWellFormed()).to.equal(true)
  })
})
