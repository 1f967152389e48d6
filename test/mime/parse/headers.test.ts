import { expect } from 'chai'
import { parseMailbox } from '../../../server/mailbox.ts'
import { readMessage } from '../../../server/mime/read-message.ts'
import { message, read } from '../read-corpus.ts'

describe('MIME header', () => {
  it('is stored as written, unfolded, with the values of repeated fields joined', () => {
    expect(read('encoded-words').headers).to.deep.equal({
      'From': '=?UTF-8?Q?J=C3=B6rg_=22J=22_M=C3=BCller?= <joerg@example.org>',
      'To': 'live@mail.localhost',
      'Subject': '=?UTF-8?B?0J/RgNC40LLQ?= =?UTF-8?B?tdGC?= and =?iso-8859-1*de?q?Gr=FC=DFe?='
        + ' =?utf-8?q?_folded?=',
      'X-Kept': '=?UTF-8?Q?J=C3=B6rg?=',
      'X-Twice': 'one\ntwo',
      'X-Folded': 'first second  third',
    })
  })

  it('has a decoded subject and sender, also when a character is split between encoded words', () => {
    expect(read('encoded-words')).to.include({
      subject: 'Привет and Grüße folded', from: 'joerg@example.org', fromName: 'Jörg "J" Müller' })
  })

  it('may have raw 8-bit bytes, UTF-8 or not', () => {
    const mail = read('raw-8bit-header')
    expect(mail).to.include({ subject: 'Grüße', from: 'joerg@example.org', fromName: 'Jörg Müller' })
    expect(mail.headers).to.include({ 'From': 'Jörg Müller <joerg@example.org>', 'X-Note': 'naïve' })
  })

  it('has raw 8-bit bytes decoded by the declared charset', () => {
    const latin = (...lines: string[]) => readMessage(Buffer.from(lines.join('\r\n'), 'latin1'))
    for (const [subject, text] of [
      ['=?iso-8859-1?q?Gr\xfc=DFe?=', 'Grüße'], ['=?windows-1251?Q?\xcf\xf0\xe8=E2=E5=F2?=', 'Привет'], ['=?utf-8?q?Gr\xc3\xbc=C3=9Fe?=', 'Grüße'],
      ['=?gb2312?q?\xc4\xe3=BA\xc3?=', '你好'], ['\xfc =?koi8-r?q?\xf0=D2?= \xfc', 'ü Пр ü'], ['=?x-unknown?q?Gr\xfc=DFe?=', 'Grüße'],
    ] as const) expect(latin(`Subject: ${subject}`, '', '').subject, subject).to.equal(text)
    expect(latin('From: =?iso-8859-1?q?J\xf6rg?= <joerg@example.org>', '', '')).to.include({ from: 'joerg@example.org', fromName: 'Jörg' })
    const { attachments } = latin('Content-Type: image/png', 'Content-Disposition: attachment; size=1;',
      " filename*0*=windows-1251''\xcf%F0; filename*1*=\xe8.png", '', 'x')
    expect(attachments.map(({ filename }) => filename)).to.deep.equal(['При.png'])
  })

  it('keeps the first spelling of a name and the first of several subjects', () => {
    const mail = readMessage(message('SUBJECT: one', 'Subject: two', '', ''))
    expect(mail.headers).to.deep.equal({ SUBJECT: 'one\ntwo' })
    expect(mail.subject).to.equal('one')
  })

  it('is read without lines that are not fields', () => {
    const mail = readMessage(message('From sender Fri Jan  2 10:00:00 2026', ': none', 'no field', 'A b: c',
      'Subject : x', '', 'body'))
    expect(mail.headers).to.deep.equal({ Subject: 'x' })
    expect(mail.bodyText).to.equal('body')
  })

  it('may follow a byte order mark, empty lines or the line of an mbox file', () => {
    for (const before of ['\ufeff', '\r\n', '\n\r\n', '\ufeff\r\n', 'From jane@example.org Fri Jan  2 10:00:00 2026\r\n', '>From jane\n', '\ufeffFrom jane\r\n']) {
      const mail = readMessage(message(`${before}From: jane@example.org`, 'Subject: Hi', '', 'text'))
      expect(mail, JSON.stringify(before)).to.deep.include({ from: 'jane@example.org', subject: 'Hi', bodyText: 'text' })
      expect(Object.keys(mail.headers)).to.deep.equal(['From', 'Subject'])
    }
  })

  it('may be missing: the text begins with the first line that is no field', () => {
    for (const text of [
      'Hi, your code is 907714\r\nbye\r\n', '\ufeffHi, your code is 907714\r\n', 'Hello,\r\nCode: 907714\r\n\r\nbye', 'Code: 907714\r\nbye', '  Your code is 907714\r\n',
      'https://acme.example/verify\r\nYour code is 907714', '\r\nYour code is 907714\r\n', '<p>Your code is 907714</p>\r\n', '確認コードは907714です',
    ]) {
      const { bodyText, codes, headers } = readMessage(Buffer.from(text))
      expect({ bodyText, codes, headers }, JSON.stringify(text))
        .to.deep.equal({ bodyText: text.replace(/^\ufeff|^\r\n/, '').replaceAll('\r\n', '\n'), codes: ['907714'], headers: {} })
    }
  })

  it('may be missing in UTF-16', () => {
    expect(readMessage(Buffer.from('\ufeffYour code is 907714', 'utf16le'))).to.deep.include({ bodyText: 'Your code is 907714', codes: ['907714'] })
  })

  it('ends at a line that is no field, when only the empty line is missing', () => {
    const mail = readMessage(message('From: jane@example.org', 'Subject: Hi', 'Your code is 907714', 'Bye', '', 'Jane'))
    expect(mail).to.deep.include({ subject: 'Hi', bodyText: 'Your code is 907714\nBye\n\nJane', codes: ['907714'] })
    const part = readMessage(message('Content-Type: multipart/mixed; boundary=b', '', '--b', 'Your code is 907714', '--b', 'Content-Type: text/html', '<p>x', '--b--'))
    expect(part).to.include({ bodyText: 'Your code is 907714', bodyHtml: '<p>x' })
  })

  it('cannot change the prototype of an object', () => {
    const mail = readMessage(message('__proto__: x', 'constructor: y', '', ''))
    expect(Object.entries(mail.headers)).to.deep.equal([['constructor', 'y']])
    expect(Object.getPrototypeOf(mail.headers)).to.equal(Object.prototype)
  })

  it('is read from an empty mail and from one without a body', () => {
    expect(readMessage(Buffer.alloc(0))).to.deep.include({ from: '', subject: '', bodyText: '', headers: {},
      problem: null })
    expect(readMessage(Buffer.from('Subject: x')).subject).to.equal('x')
    expect(readMessage(Buffer.from('Subject: x\n\nlf only\n'))).to.include({ subject: 'x',
      bodyText: 'lf only\n' })
  })

  const senders: [header: string, from: string, fromName: string][] = [
    ['jane@example.org', 'jane@example.org', ''],
    ['Jane Doe <jane@example.org>', 'jane@example.org', 'Jane Doe'],
    ['"Doe, Jane" <jane@example.org>', 'jane@example.org', 'Doe, Jane'],
    ['"a \\"b\\" c" <jane@example.org>', 'jane@example.org', 'a "b" c'],
    ['<jane@example.org>', 'jane@example.org', ''],
    ['Undisclosed <>', '', 'Undisclosed'],
    ['not an address', '', 'not an address'],
    ['=?utf-8?b?SmFuZSA8ZXZpbEBleGFtcGxlLm9yZz4=?=', '', 'Jane <evil@example.org>'],
    ['=?utf-8?q?J=C3=A4ne?= =?utf-8?q?_Doe?= <jane@example.org>', 'jane@example.org', 'Jäne Doe'],
    ['Empty:;', '', ''],
    ['Jane <jane@xn--mller-kva.example>', 'jane@xn--mller-kva.example', 'Jane'],
    ['<Jane Doe>jane@example.org', 'jane@example.org', 'Jane Doe'],
    ['<Jane Doe> <jane@example.org>', 'jane@example.org', 'Jane Doe'],
    ['Jane <mailto:jane@example.org?subject=Hi>', 'jane@example.org', 'Jane'],
    ['[jane@example.org]', 'jane@example.org', ''],
    ['jane@example.org>', 'jane@example.org', ''],
    ['Jane jane@example.org>', 'jane@example.org', 'Jane'],
    ['Jane <jane@example.org>>', 'jane@example.org', 'Jane'],
    ['<<jane@example.org>>', 'jane@example.org', ''],
    ['Jane < <jane@example.org> >', 'jane@example.org', 'Jane'],
    ['Jane [mailto:jane@example.org]', 'jane@example.org', 'Jane'],
    ['[mailto:jane@example.org?subject=Hi]', 'jane@example.org', ''],
    ['"Jane >> [mailto:a]" <jane@example.org>', 'jane@example.org', 'Jane >> [mailto:a]'],
    ['jane@example.org (Jane > Joe)', 'jane@example.org', 'Jane > Joe'],
    ['Jane"Doe <jane@example.org>', 'jane@example.org', 'JaneDoe'],
    ['', '', ''],
  ]
  for (const [header, from, fromName] of senders) {
    it(`gives the sender of "${header}"`, () => {
      expect(readMessage(message(`From: ${header}`, '', ''))).to.include({ from, fromName })
    })
  }

  it('gives the first sender with an address of several From fields', () => {
    const mail = readMessage(message('From:', 'From: Jane', 'From: Joe <joe@example.org>', 'From: ann@example.org', '', ''))
    expect(mail).to.include({ from: 'joe@example.org', fromName: 'Joe' })
    expect(readMessage(message('From:', 'From: Jane', '', ''))).to.include({ from: '', fromName: 'Jane' })
  })

  it('gives a sender of the maximum length of this server\'s addresses', () => {
    const domain = `${'d'.repeat(61)}.${'e'.repeat(61)}.${'f'.repeat(61)}.${'g'.repeat(59)}.example`
    const address = `${'a'.repeat(100)}@${domain}`
    expect(parseMailbox(address)).to.include({ address })
    expect(readMessage(message(`From: Jane <${address}>`, '', ''))).to.include({ from: address, fromName: 'Jane' })
    expect(readMessage(message(`From: Jane <${address}.${'h'.repeat(20)}>`, '', ''))).to.include({ from: '', fromName: 'Jane' })
  })

  it('gives the sender of groups, comments and lists', () => {
    expect(read('from-group')).to.include({ from: 'jane@example.org', fromName: 'Doe, Jane' })
    expect(read('from-comment')).to.include({ from: 'jane@example.org', fromName: 'Jane "J." Doe' })
    expect(read('from-several')).to.include({ from: 'jane@example.org', fromName: 'Jane' })
    expect(read('from-missing')).to.include({ from: '', fromName: '' })
  })
})
