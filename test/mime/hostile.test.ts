import { expect } from 'chai'
import type { ParsedMessage } from '../../server/mime/parsed-message.ts'
import { readMessage } from '../../server/mime/read-message.ts'
import { message } from './read-corpus.ts'
import { processorMs } from '../support/processor-time.ts'

const MB = 1024 * 1024

/** Bytes of most large mails, and of those that fill a mail: 25 MB are its limit. */
const halfBytes = 8 * MB
const fullBytes = 16 * MB

/** CPU time, far above that of each mail, and far below the ten seconds after which its thread is ended. */
const maxMsOf = (bytes: number) => bytes > halfBytes + 2 * MB ? 3_000 : 1_500

function readInTime(...pieces: (Buffer | string)[]): ParsedMessage {
  const raw = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
  let parsed!: ParsedMessage
  expect(processorMs(() => { parsed = readMessage(raw) })).to.be.lessThan(maxMsOf(raw.length))
  expect(parsed.attachments.length).to.be.at.most(1_000)
  expect(parsed.codes.length).to.be.at.most(10)
  expect(parsed.links.length).to.be.at.most(200)
  expect(JSON.stringify(parsed.headers).length).to.be.at.most(600 * 1024)
  return parsed
}

const multipart = (boundary = 'b'): string =>
  `Subject: x\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`
const numbered = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join('')
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
    expect(readInTime('Subject: found', '\r\n x'.repeat(2 * MB)).subject.startsWith('found')).to.equal(true)
    expect(readInTime('Subject: found\r\n', '\r'.repeat(10 * MB)).subject).to.equal('found')
    expect(readInTime(':'.repeat(10 * MB)).headers).to.deep.equal({})
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

  const pages: Record<string, (fill: (piece: string) => string) => string> = {
    'text': (fill) => fill('word '),
    'a million tags': () => '<b>'.repeat(1_000_000),
    'open tags': (fill) => fill('<a href="https://x.example">'),
    'closing tags that were never opened': (fill) => '<p>'.repeat(100_000) + fill('</q>'),
    'brackets': (fill) => fill('<'),
    'entities': (fill) => fill('&amp;'),
    'half entities': (fill) => fill('&'),
    'a comment': (fill) => `<!--${fill('-')}`,
    'attributes': (fill) => `<a ${fill('b="c" ')}>`,
    'a long attribute': (fill) => `<a href="https://${fill('x')}">x</a>`,
    'a style without end': (fill) => `<style>${fill('</styl')}`,
    'white space': (fill) => fill(' \n'),
    'meta': (fill) => fill('<meta '),
    'digits': (fill) => fill('1'),
    'digits apart': (fill) => fill('1 '),
    'codes': (fill) => fill('<p>code 482913</p>'),
    'dashes': (fill) => fill('A-'),
    'codes of letters': (fill) => fill('code aB1c2D\n'),
    'words for codes': (fill) => fill('code '),
    'URLs': (fill) => fill('https://x.example/a '),
    'schemes': (fill) => fill('https://'),
    'brackets in a URL': (fill) => `https://x.example/${fill('(')}`,
    'rules': (fill) => `<style>${fill('.a{display:none}')}</style>${'<p class=a>x'.repeat(100_000)}`,
    'rules for different classes': () => `<style>${numbered(100_000, (i) => `.a${i} .b${i}{color:red}`)}</style>${numbered(100_000, (i) => `<p class="a${i} b${i}">x`)}`,
    'rules for descendants': () => `<style>${numbered(2_000, () => 'p b i .a{color:red}')}</style>${'<b><i class=a>x'.repeat(100_000)}`,
    'rules for siblings': (fill) => `<style>b ~ u ~ b ~ i{color:red}</style>${fill('<b></b><u></u><i></i>')}`,
    'rules for descendants in any order': (fill) => `<style>a > b b > b b > b i{color:red}</style>${fill('<b><i></i>')}`,
    'rules that look ahead': (fill) => `<style>:has(i):has(u):not(:last-child){color:red}</style>${fill('<b><u><i></i>')}`,
    'custom properties': (fill) => `<style>*{--a:var(--b);--b:1;color:var(--a)}</style>${fill('<b style="--c:var(--a)">')}`,
    'custom properties of one element': (fill) => `<b style="${fill('--a:var(--b,var(--c));')}color:var(--a)">`,
    'values of functions': (fill) => `<b style="width:${fill('calc(1px + ')}"><i style="color:${fill('color-mix(in lab,')}"><u style="transform:${fill('scale(')}">`,
    'media rules': (fill) => `<style>${fill('@media screen{')}`,
    'selectors': (fill) => `<style>${fill(':not(a[b],')}{color:red}`,
    'a style with many blocks': (fill) => `<style>${fill('a{')}`,
    'rules in rules': (fill) => `<style>${fill('.a,.b .c{color:red;')}</style>${'<p class=a>x'.repeat(100_000)}`,
    'rules in a rule of many selectors': (fill) => `<style>${numbered(100, (i) => `.a${i} b,`)}i{${fill('b,.c{color:red}')}}</style>${'<b class=c>x'.repeat(100_000)}`,
    'rules that match nothing, in a rule of many selectors': (fill) => `<style>${numbered(100, (i) => `.a${i},`)}i{${fill('b::-moz-x,::after{color:red}')}`,
    'rules in a rule with a long selector': (fill) => `<style>${'i '.repeat(100_000)}b{${fill('b{color:red}')}`,
    'rules that name the one around them in a list, and in theirs': () =>
      `<style>i{${':is(&,&.b,:not(&)){'.repeat(15)}color:red</style>${numbered(100_000, (i) => `<p class=a${i}>x`)}`,
    'selectors with lists': () => `<style>${numbered(100, () => ':is(.a,.b):not(.c,i,:is(u,#x)){color:red}')}</style>${numbered(100_000, (i) => `<p class=a${i}>x`)}`,
    'a selector with a long list': () => `<style>:is(${'a,'.repeat(900_000)}b){color:red;&.a{color:red}}`,
    'a selector of many parts': () => `<style>${'i '.repeat(900_000)}b{color:red;& i{color:red}}`,
    'a media query of many conditions': () => `<style>@media ${'a and '.repeat(300_000)}b{i{color:red}}`,
    'ampersands in the attribute of a selector': () => `<style>i{b[a="${'&'.repeat(2_000_000)}"]{color:red}`,
    'layers': (fill) => `<style>${fill('@layer a;@layer{.a{color:red')}`,
    'names of layers': () => `<style>@layer ${numbered(100_000, (i) => `a${i},`)};i{color:red}`,
    'closed elements': (fill) => fill('<details><summary>x<dialog>'),
    'a style of strings': (fill) => `<style>${fill('a"\\')}`,
    'a style of comments': (fill) => `<style>${fill('/*/')}`,
    'different styles': () => numbered(200_000, (i) => `<p style="color:#${i % 1000};top:${i}px">x`),
    'a style attribute': (fill) => `<p style="${fill('color:red;')}">x`,
    'functions in a style': (fill) => `<p style="transform:${fill('scale(')};background:${fill('a(b')}">x`,
    'hidden elements': (fill) => fill('<p hidden>x<b>'),
    'elements that are not closed, and closed by others': () => '<div hidden><b>'.repeat(50_000) + '</q>'.repeat(200_000),
    'absolute elements': () => `${'<div>'.repeat(300)}${'<i style="position:absolute">x</i>'.repeat(60_000)}`,
    'no letters': (fill) => fill('\u200d'),
  }
  const fullPages = ['brackets', 'dashes', 'no letters']
  for (const [name, page] of Object.entries(pages)) {
    const bytes = fullPages.includes(name) ? fullBytes : halfBytes
    it(`with ${bytes / MB} MB of ${name}, as HTML and as text`, () => {
      const text = page((piece) => piece.repeat(bytes / Buffer.byteLength(piece)))
      const parsed = readInTime(html(text))
      expect(parsed.bodyText.length).to.be.at.most(256 * 1024)
      readInTime('Subject: x\r\n\r\n', text)
    })
  }

  for (const [encoding, piece, bytes] of [
    ['base64', '=', halfBytes], ['base64', 'YQ==', halfBytes], ['base64', '\u0000*', halfBytes],
    ['quoted-printable', '=', fullBytes], ['quoted-printable', '=\n', halfBytes], ['quoted-printable', ' ', halfBytes],
    ['quoted-printable', '= ', halfBytes], ['quoted-printable', '=3D', halfBytes],
  ] as const) {
    it(`with bodies of malformed ${encoding}: ${JSON.stringify(piece)}`, () => {
      const body = piece.repeat(bytes / piece.length)
      readInTime(message('Content-Type: text/plain', `Content-Transfer-Encoding: ${encoding}`, '', ''), body)
      readInTime(message('Content-Type: image/png', `Content-Transfer-Encoding: ${encoding}`, '', ''), body)
    })
  }

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
        '\x1b$B\x1b(B~{'.repeat(charset === 'iso-2022-jp' ? 2 * MB : MB))
    }
    for (const [charset, characters] of [['hz-gb-2312', '~{Dz~}'], ['', '~{Dz5DQiV$~}'], ['utf-7', '+AGE-']] as const) {
      readInTime(message(`Content-Type: text/plain; charset=${charset}`, '', ''), characters.repeat(2 * MB))
    }
  })

  it('of flowed text without hard line breaks', () => {
    readInTime(message('Content-Type: text/plain; format=flowed; delsp=yes', '', ''), 'a \r\n'.repeat(2 * MB))
    readInTime(message('Content-Type: text/plain; format=flowed', '', ''), '>'.repeat(4 * MB), '> \n'.repeat(MB / 2))
  })

  it('with selectors that search a long attribute or class of many elements', () => {
    const rules = (selector: (index: number) => string) => `<style>${numbered(20, (i) => `${selector(i)} .a{color:red}`)}</style>`
    const elements = '<p class=a>x</p>'.repeat(5_000)
    for (const [name, selector] of [['title', (i: number) => `[title*="z${i}"]`], ['class', (i: number) => `.y${i}`]] as const) {
      readInTime(html(`${rules(selector)}<div ${name}="${'zy '.repeat(50_000)}">${elements}</div>`))
    }
  })

  it('with the names of members of all objects in place of words of HTML, CSS and MIME', () => {
    for (const name of ['constructor', '__proto__', 'hasOwnProperty', 'toString']) {
      for (const page of [
        `<p style="color:${name}(1 2 3)">hi</p>`, `<p style="color:color(${name} 1 2 3)">hi</p>`, `<p style="color:color-mix(in ${name}, red, blue)">hi</p>`,
        `<p style="${name}:1;width:1${name};height:${name}(1px)">hi</p>`, `<style>@supports (${name}:x){p{color:red}}</style><p>hi</p>`,
        `<style>p:${name}(x){color:red}p:nth-child(${name}){color:red}</style><p>hi</p>`, `<${name.replace('__proto__', 'valueOf')}>hi`, `<p ${name}=x>hi</p>`,
      ]) expect(readInTime(html(page)).bodyText.trim(), page).to.equal('hi')
      readInTime(message(`Content-Type: text/plain; charset=${name}; ${name}=x`, `Content-Transfer-Encoding: ${name}`, '', 'hi'))
      readInTime(message(`Content-Type: ${name}/${name}`, `Content-Disposition: ${name}`, '', 'hi'))
    }
  })

  it('with colors of many functions, each different', () => {
    const color = (i: number) => `color-mix(in oklch, oklch(calc(${i} * 1%) 0.${i} 20deg), rgb(from hsl(${i} 50% 50%) r g calc(b + ${i})))`
    const nested = `${'light-dark('.repeat(24)}red${',red)'.repeat(24)}`
    readInTime(html(`<style>p:last-child{color:red}</style>${numbered(9_000, (i) => `<p style="color:${color(i)};background:${nested}">x</p>`)}`))
  })
})
