import { expect } from 'chai'
import { warningsOf } from '../../../server/mime/checks/warnings.ts'
import { processorMs } from '../../support/processor-time.ts'

type Given = Parameters<typeof warningsOf>[0]

const warn = (given: Partial<Given>) => warningsOf({ fromName: '', subject: '', bodyText: '', bodyHtml: '', links: [], hiddenText: false, ...given })
const ofFields = (type: string, ...fields: string[]) => [{ type, fields, url: null, host: null, namedHost: null }]

const tags = (text: string) => Array.from(text, (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
const bits = (text: string, zero: string, one: string) => Array.from(text, (char) => char.charCodeAt(0).toString(2).padStart(8, '0')).join('').replaceAll('0', zero).replaceAll('1', one)
const selectors = (text: string) => Array.from(text, (char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16)).join('')

describe('Warnings of a mail', () => {
  it('are none for usual mail', () => {
    expect(warn({ fromName: 'Shop', subject: 'Your code', bodyText: 'Your code is 482913. 👩\u200d💻 ❤\ufe0f', bodyHtml: '<p>Your code is 482913.&nbsp;&zwnj;</p>' })).to.deep.equal([])
  })

  it('say that the HTML hides text', () => {
    expect(warn({ hiddenText: true, bodyHtml: '<p hidden>a</p>' })).to.deep.equal(ofFields('hiddenText', 'bodyHtml'))
  })

  it('name the members with text in characters without a shape', () => {
    for (const hidden of [tags('Pay 5'), selectors('Pay 5'), bits('Pay 5', '\u200b', '\u200c'), bits('Pay', '\u2062', '\u2063')]) {
      expect(warn({ subject: `Hello${hidden}`, bodyText: `a${hidden}b` }), escape(hidden)).to.deep.equal(ofFields('invisibleCharacters', 'subject', 'bodyText'))
      const entities = Array.from(hidden, (char) => `&#x${char.codePointAt(0)!.toString(16)};`).join('')
      expect(warn({ bodyHtml: `<p>a${entities}</p>` }), entities).to.deep.equal(ofFields('invisibleCharacters', 'bodyHtml'))
      expect(warn({ bodyHtml: `<p>a${Array.from(hidden, (char) => `&#${char.codePointAt(0)};`).join('')}</p>` })).to.deep.equal(ofFields('invisibleCharacters', 'bodyHtml'))
    }
    expect(warn({ bodyHtml: bits('Pay', '&zwnj;', '&zwj;') })).to.deep.equal(ofFields('invisibleCharacters', 'bodyHtml'))
  })

  it('leave padding, flags and emoji out', () => {
    for (const text of ['\u034f\u200c\u00a0'.repeat(90), '\u200c'.repeat(90), '\u200c\u200b\u200d\u200e\u200f\ufeff'.repeat(20), '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '❤\ufe0f❤\ufe0f❤\ufe0f❤\ufe0f', '葛\u{e0100}葛\u{e0101}', '👨\u200d👩\u200d👧\u200d👦', 'می\u200cخواهم']) {
      expect(warn({ bodyText: text, bodyHtml: text }), escape(text)).to.deep.equal([])
    }
  })

  it('name the members with text that is reordered', () => {
    for (const text of ['\u202e319284', 'Invoice \u202efdp.exe\u202c', '\u202dשלום 12\u202c']) {
      expect(warn({ subject: text, fromName: text }), escape(text)).to.deep.equal(ofFields('reorderedText', 'fromName', 'subject'))
    }
    for (const bodyHtml of ['<bdo dir="rtl">319284</bdo>', '<p style="direction:rtl;unicode-bidi:bidi-override">319284</p>', '<style>.a{unicode-bidi: isolate-override}</style>', 'a&#8238;319284', 'a&#x202E;319284']) {
      expect(warn({ bodyHtml }), bodyHtml).to.deep.equal(ofFields('reorderedText', 'bodyHtml'))
    }
    for (const text of ['\u202d+49 30 1234\u202c', '\u202eשלום\u202c', '\u202e\u202c', '\u200fשלום\u200f', '\u2067שלום\u2069 a', '\u202bשלום\u202c']) {
      expect(warn({ bodyText: text, bodyHtml: text }), escape(text)).to.deep.equal([])
    }
  })

  it('name a link whose text names another host', () => {
    const links = [
      { url: 'https://evil.example/login', host: 'evil.example', text: 'www.bank.example' },
      { url: 'https://bank.example/', host: 'bank.example', text: 'bank.example' },
      { url: 'https://bank.example/a', host: 'bank.example', text: 'Sign in' },
    ]
    expect(warn({ links })).to.deep.equal([{ type: 'otherHost', fields: ['links'], url: 'https://evil.example/login', host: 'evil.example', namedHost: 'www.bank.example' }])
  })

  it('are found in linear time', () => {
    for (const text of ['&#x'.repeat(300_000), '\u202e'.repeat(100_000), '\u202d '.repeat(100_000), '\u200b\u200c'.repeat(100_000), '<bdo '.repeat(100_000), 'unicode-bidi:'.repeat(100_000), '🏴\u{e0067}'.repeat(100_000)]) {
      expect(processorMs(() => warn({ bodyText: text, bodyHtml: text })), escape(text.slice(0, 10))).to.be.below(2_000)
    }
  })
})
