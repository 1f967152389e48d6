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
  'utf-7': ['hi <script>\n', '<b>'],
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

  it('decodes UTF-7 where the header of the mail declares it, by any of its names', () => {
    for (const name of ['utf-7', 'UTF7', 'unicode-1-1-utf-7', 'x-unicode-2-0-utf-7', 'csUTF7']) {
      const mail = readMessage(message(`Subject: =?${name}?Q?Gr+APwA3w-e?=`, `Content-Type: text/html; charset=${name}`, '', '<p>Best+AOQ-tigungscode 482913</p>'))
      expect(mail, name).to.deep.include({ subject: 'Grüße', bodyHtml: '<p>Bestätigungscode 482913</p>', codes: ['482913'] })
    }
    for (const [source, text] of [
      ['1 +- 1 +AD0 2', '1 + 1 = 2'], ['+2D3cSw- +T2BZfQ-!', '👋 你好!'], ['C++ 1+1 +491701234567', 'C++ 1+1 +491701234567'], ['+2D0-', '\ufffd'], ['+', '+'], ['ü', 'ü'],
    ] as const) expect(decodedAs('utf-7', Buffer.from(source)), source).to.equal(text)
  })

  it('takes no text for UTF-7 that the mail does not declare as such', () => {
    for (const charset of ['', 'utf-8', 'us-ascii', 'utf-7-imap']) expect(decodedAs(charset, Buffer.from('+ADw-script+AD4-')), charset).to.equal('+ADw-script+AD4-')
    const page = '<meta charset="utf-7">+ADw-script+AD4-'
    expect(readMessage(message('Content-Type: text/html', '', page)).bodyHtml).to.equal(page)
  })

  it('uses the charset of an HTML page when the header has none', () => {
    const page = Buffer.concat([
      message('Content-Type: text/html', '', '<meta charset="windows-1251">'), Buffer.from([0xcf, 0xf0,
        0xe8])])
    expect(readMessage(page).bodyHtml).to.equal('<meta charset="windows-1251">При')
    const xml = '<?xml version="1.0" encoding="windows-1251"?><p>'
    expect(readMessage(Buffer.concat([message('Content-Type: text/html', '', xml), Buffer.from([0xcf, 0xf0, 0xe8])])).bodyHtml).to.equal(`${xml}При`)
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

  it('decodes UTF-8 that is declared as another charset, in the text, the subject, the sender and file names', () => {
    const text = 'ご注文の確認：コード 907714'
    const multiByte = ['iso-2022-jp', 'shift_jis', 'euc-jp', 'gbk', 'gb18030', 'gb2312', 'big5', 'euc-kr', 'iso-2022-kr', 'hz-gb-2312', 'utf-16']
    const singleByte = ['iso-8859-1', 'iso-8859-2', 'iso-8859-8', 'windows-1251', 'windows-1252', 'windows-1256', 'windows-874', 'koi8-r', 'cp850', 'us-ascii']
    for (const charset of [...multiByte, ...singleByte]) {
      const word = `=?${charset}?B?${Buffer.from(text).toString('base64')}?=`
      const named = `Content-Disposition: attachment; filename*=${charset}''${encodeURIComponent(text)}.bin`
      const raw = message(`From: ${word} <a@example.org>`, `Subject: ${word}`, 'Content-Type: multipart/mixed; boundary=b', '',
        '--b', `Content-Type: text/plain; charset=${charset}`, '', text, '--b', named, '', 'x', '--b--')
      const { subject, fromName, bodyText, attachments, codes } = readMessage(raw)
      expect({ subject, fromName, bodyText, codes, name: attachments[0]!.filename }, charset)
        .to.deep.equal({ subject: text, fromName: text, bodyText: text, codes: ['907714'], name: `${text}.bin` })
    }
  })

  it('decodes UTF-8 of languages with two bytes a letter that is declared as another charset', () => {
    const texts = ['Żółta łódź', 'in Wrocław', 'Smörgås', 'Ваш заказ отправлен', 'Η παραγγελία', 'ההזמנה שלך', 'طلبك في الطريق', 'คำสั่งซื้อของคุณ']
    for (const charset of ['gbk', 'shift_jis', 'euc-kr', 'iso-8859-1', 'windows-1251', 'windows-874', 'cp437']) {
      for (const text of texts) expect(decodedAs(charset, Buffer.from(text)), `${text} as ${charset}`).to.equal(text)
    }
  })

  it('does not take a text for UTF-8 that is valid UTF-8 by chance', () => {
    for (const [charset, text, hex] of [
      ['gbk', '通知', 'cda8d6aa'], ['windows-1251', 'Её', 'c5b8'], ['koi8-r', 'её', 'c5a3'], ['windows-1252', 'NESCAFÉ® NESCAFÉ®', '4e45534341 46c9ae 204e45534341 46c9ae'],
      ['windows-874', 'แดง', 'e1b4a7'], ['shift_jis', 'ﾄｸ', 'c4b8'],
    ] as const) expect(decodedAs(charset, Buffer.from(hex.replaceAll(' ', ''), 'hex')), text).to.equal(text)
  })

  const verify: [charset: string, text: string, hex: string][] = [
    ['Shift_JIS', '確認コードは482913です。', '8a6d94468352815b836882cd34383239313382c582b78142'],
    ['EUC-JP', '確認コードは482913です。', 'b3cec7a7a5b3a1bca5c9a4cf343832393133a4c7a4b9a1a3'],
    ['GBK', '您的验证码是 482913，请勿告诉他人', 'c4fab5c4d1e9d6a4c2ebcac720343832393133a3acc7ebcef0b8e6cbdfcbfbc8cb'],
    ['Big5', '您的驗證碼是 482913，請勿告訴他人', 'b17aaabac5e7c3d2bd58ac4f20343832393133a141bdd0a4c5a769b644a54ca448'],
    ['EUC-KR', '인증번호는 482913입니다', 'c0cec1f5b9f8c8a3b4c220343832393133c0d4b4cfb4d9'],
    ['windows-1251', 'Ваш код подтверждения: 482913', 'c2e0f820eaeee420efeee4f2e2e5f0e6e4e5ede8ff3a20343832393133'],
    ['KOI8-R', 'Ваш код подтверждения: 482913', 'f7c1db20cbcfc420d0cfc4d4d7c5d2d6c4c5cec9d13a20343832393133'],
    ['cp866', 'Ваш код подтверждения: 482913', '82a0e820aaaea420afaea4e2a2a5e0a6a4a5ada8ef3a20343832393133'],
    ['HZ', '您的验证码是482913，请输入', '7e7b447a354451695624426b4a477e7d3438323931337e7b232c476b4a64486b7e7d'],
    ['ISO-2022-JP', '確認コードは482913です。', '1b2442334e47272533213c2549244f1b28423438323931331b24422447243921231b2842'],
  ]
  for (const [name, text, hex] of verify) {
    it(`decodes ${name} that is declared as UTF-8, as a Western charset or not at all`, () => {
      for (const charset of ['utf-8', 'us-ascii', '', 'unknown-8bit', 'iso-8859-1', 'windows-1252', 'iso-8859-15']) {
        const mail = readMessage(Buffer.concat([message(`Content-Type: text/plain; charset=${charset}`, '', ''), Buffer.from(hex, 'hex')]))
        expect(mail, charset).to.deep.include({ bodyText: text, codes: ['482913'] })
      }
    })
  }

  it('decodes ISO-2022-JP by its escapes, whatever is declared, also in raw headers', () => {
    const bytes = Buffer.from('1b244234474672' + '1b2842' + '20' + '1b2442252b2522' + '1b2842', 'hex')
    const text = decodedAs('iso-2022-jp', bytes)
    for (const charset of ['', 'us-ascii', 'utf-8', 'iso-8859-1', 'shift_jis']) expect(decodedAs(charset, bytes), charset).to.equal(text)
    const raw = Buffer.concat([Buffer.from('From: '), bytes, Buffer.from(' <a@example.org>\r\nSubject: '), bytes, Buffer.from('\r\n\r\nhello')])
    expect(readMessage(raw)).to.include({ subject: text, fromName: text, bodyText: 'hello' })
    expect(text).to.match(/^\p{sc=Han}+ \p{sc=Katakana}+$/u)
  })

  it('keeps text of a Western charset, also lists of its characters', () => {
    const table = String.fromCharCode(...Array.from({ length: 0x60 }, (_, i) => 0xa0 + i))
    const texts = ['ÀÁÂÃÄÅ', 'ÀÂÄÉÈÊËÎÏÔÖÇ', 'éèàçùâêîôû éèàçùâêîôû', 'áéíóúñ ÁÉÍÓÚÑ ¿¡ áéíóúñ', 'äöüÄÖÜß äöüÄÖÜß', 'åäöÅÄÖ æøåÆØÅ', '°±²³µ¶·¹º»¼½¾¿', '»»»» ···· °°°° »»»»',
      table, table.match(/.{16}/gs)!.join('\n'), table.slice(0x20), table.slice(0x40), table.slice(0x20, 0x40), 'ÀÀÀÀ ÉÉÉÉ ÈÈÈÈ ÀÀÀÀ', '\xa0\xa0\xa0\xa0 12\xa0000\xa0 «\xa0à\xa0»',
      'SÃO PAULO, ATENÇÃO ÀÀÀÀ', '¸,ø¤º°`°º¤ø,¸¸,ø¤º°`°º¤ø,¸ 482913']
    for (const text of texts) {
      const encoded = Buffer.from(text, 'latin1')
      for (const charset of ['iso-8859-1', 'windows-1252']) expect(decodedAs(charset, encoded), charset).to.equal(text)
    }
    expect(decodedAs('iso-8859-1', Buffer.from('934de46e6e6572942096208491464f4fc4948420858080', 'hex'))).to.equal('“Männer” – „‘FOOÄ”„ …€€')
  })

  it('decodes HZ by its escapes in raw headers, and keeps a text that has their signs', () => {
    const { subject, bodyText } = readMessage(message('Subject: ~{Dz5DQiV$BkJG~} 482913', 'Content-Type: text/plain; charset=hz-gb-2312', '', '~{Dz:C~}'))
    expect([subject, bodyText]).to.deep.equal(['您的验证码是 482913', '您好'])
    for (const text of ['(format t "~{~a~^, ~}" list)', '~{USERNAME~}, ~{FIRST_NAME~}', '~{username~}', '~{a~}', '~{Dz5DQiV$BkJG', '~{Dz5DQiV$BkJ~}', '~{Dz5DQiV$BkJG~} ~{ not', '~{~}', '~{!!!!!!!!!!~}']) {
      expect(decodedAs('utf-8', Buffer.from(text)), text).to.equal(text)
    }
  })

  it('keeps apart a damaged character of HZ and ISO-2022-KR and the text behind it', () => {
    for (const [charset, text, expected] of [
      ['hz', '~{Dz:~}x ~~ a~\r\nb~c', '您\ufffdx ~ ab~c'], ['hz', '~{Dz:\n:C', '您\ufffd\n:C'], ['hz', '~{Dz:', '您\ufffd'], ['iso-2022-kr', '\x1b$)C\x0e>H 3g\x0fx\x0e>\x0fA', '안 녕x\ufffdA'],
    ] as const) expect(decodedAs(charset, Buffer.from(text)), text).to.equal(expected)
  })

  it('keeps escapes of a terminal', () => {
    expect(decodedAs('utf-8', Buffer.from('\x1b[31mred\x1b[0m'))).to.equal('\x1b[31mred\x1b[0m')
  })

  it('decodes Latin-1 that is declared as UTF-8, and keeps UTF-8 that is damaged', () => {
    expect(decodedAs('utf-8', Buffer.from('Grüße aus Köln, éèàç', 'latin1'))).to.equal('Grüße aus Köln, éèàç')
    for (const charset of ['utf-8', '']) {
      expect(decodedAs(charset, Buffer.concat([Buffer.from('Grüße aus Köln'), Buffer.of(0xc3), Buffer.from('!')])), charset).to.equal('Grüße aus Köln\ufffd!')
    }
  })

  it('decodes UTF-16 by its byte order mark, whatever is declared', () => {
    expect(decodedAs('utf-8', Buffer.from('\ufeffCódigo 482913', 'utf16le'))).to.equal('Código 482913')
  })

  it('knows code pages of DOS by their usual names', () => {
    for (const label of ['cp850', 'IBM850', 'ibm-850', '850', 'csPC850Multilingual', 'CP858']) {
      expect(decodedAs(label, Buffer.from([0x47, 0x72, 0x81, 0xe1, 0x65])), label).to.equal('Grüße')
    }
    expect(decodedAs('cp858', Buffer.of(0xd5))).to.equal('€')
    expect(decodedAs('cspc8codepage437', Buffer.of(0xe3))).to.equal('π')
    expect(decodedAs('cp866', Buffer.of(0x8f))).to.equal('П')
  })

  it('finds Ukrainian, and signs of vendors in Japanese, without a declared charset', () => {
    const ukrainian = 'Ваш код підтвердження для входу в обліковий запис'
    const bytesOf = (text: string, encode: (letter: string) => number) => Buffer.from([...text].map((letter) => letter < '\x80' ? letter.charCodeAt(0) : encode(letter)))
    const bytesIn = (charset: string, text: string) => {
      const letters = new Map(Array.from({ length: 128 }, (_, i) => [new TextDecoder(charset).decode(Uint8Array.of(128 + i)), 128 + i]))
      return bytesOf(text, (letter) => letters.get(letter)!)
    }
    const read = (bytes: Buffer) => readMessage(Buffer.concat([message('Subject: x', ''), bytes])).bodyText
    for (const charset of ['windows-1251', 'koi8-u']) expect(read(bytesIn(charset, ukrainian)), charset).to.equal(ukrainian)
    // ① of NEC, before kana
    expect(read(Buffer.from('8740 94468fd8 83528181 835b 82cc82a882e782b982c582b7'.replaceAll(' ', ''), 'hex'))).to.match(/^①認証/)
  })

  it('decodes raw headers and file names by the charset of the body where they are not UTF-8', () => {
    for (const [charset, text, hex] of [
      ['gbk', '验证码', 'd1e9d6a4c2eb'], ['shift_jis', '認証', '9446 8fd8'], ['euc-kr', '확인', 'c8aec0ce'], ['iso-8859-2', 'Gdańsk', '4764 61f1736b'], ['big5', '驗證碼', 'c5e7c3d2bd58'],
    ] as const) {
      const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('latin1')
      const latin = (...lines: string[]) => readMessage(Buffer.from(lines.join('\r\n'), 'latin1'))
      const single = latin(`From: ${bytes} <a@example.org>`, `Subject: ${bytes}`, `Content-Type: text/plain; charset=${charset}`, '', 'x')
      expect(single, charset).to.include({ subject: text, fromName: text, from: 'a@example.org' })
      const { subject, headers, attachments } = latin(`Subject: ${bytes}`, `X-Note: ${Buffer.from('ü').toString('latin1')}`, 'Content-Type: multipart/mixed; boundary=b', '',
        '--b', 'Content-Type: text/plain; charset=us-ascii', '', 'x', '--b', `Content-Type: text/html; charset="${charset}"`, '', '<p>x',
        '--b', 'Content-Type: image/png', `Content-Disposition: attachment; filename="${bytes}.png"`, '', 'x', '--b--')
      expect([subject, headers['X-Note'], attachments.at(-1)!.filename], charset).to.deep.equal([text, 'ü', `${text}.png`])
    }
    const undecodable = Buffer.from('Subject: Gr\xfc\xdfe, M\xfcller\r\nContent-Type: text/plain; charset=euc-jp\r\n\r\nx', 'latin1')
    expect(readMessage(undecodable).subject).to.equal('Grüße, Müller')
  })
})

const decodedAs = (charset: string, bytes: Buffer) =>
  readMessage(Buffer.concat([message(`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: base64', '', ''),
    Buffer.from(bytes.toString('base64'))])).bodyText
