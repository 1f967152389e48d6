import { expect } from 'chai'
import { readMessage } from '../../../server/mime/read-message.ts'
import { combinedForms } from './combined-forms.ts'
import { hiddenKinds } from './hidden-kinds.ts'
import { shownForms } from './shown-forms.ts'

const read = (type: 'html' | 'plain', body: string, subject = 'Sign in') =>
  readMessage(Buffer.from(`Subject: ${subject}\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}`))

describe('Hidden text of HTML', () => {
  for (const isShown of [true, false]) {
    const forms = [...shownForms, ...combinedForms, ...hiddenKinds].filter((form) => form.isShown === isShown)
    it(`is told apart from text that readers see: ${forms.length} forms of text that is ${isShown ? 'seen' : 'hidden'}`, () => {
      const wrong = forms.filter(({ html }) => {
        const { bodyText, codes } = read('html', html)
        return bodyText.includes('999111') !== isShown || codes.includes('999111') !== isShown
      })
      expect(wrong.map(({ name }) => name)).to.deep.equal([])
    })
  }

  it('is not a code, also when the visible code comes after it', () => {
    const { codes, bodyText, hiddenText } = read('html', '<p style="display:none">Your code is 999111.</p><p>Your code is 482913.</p>')
    expect({ codes, bodyText, hiddenText }).to.deep.equal({ codes: ['482913'], bodyText: 'Your code is 482913.', hiddenText: true })
  })

  it('within a code leaves the code in one piece', () => {
    for (const hidden of ['<span style="display:none">7</span>', '<i hidden>7</i>', '<span style="font-size:0">7</span>', '<div style="display:none">7</div>',
      '<br style="display:none">', '<div style="position:absolute;left:-9999px">7</div>']) {
      expect(read('html', `Your code is 482${hidden}913.`).codes, hidden).to.deep.equal(['482913'])
    }
  })

  it('has no links', () => {
    const { links } = read('html', `
      <a href="https://x.example/1" style="display:none">Confirm</a> <div hidden><a href="https://x.example/2">Confirm</a></div>
      <a href="https://x.example/3"><span style="font-size:0">Confirm</span></a> <div style="opacity:0"><a href="https://x.example/4"><img src="a.png" alt="Confirm"></a></div>
      <div style="font-size:0"><a href="https://x.example/5"><img src="a.png" alt="Confirm"></a></div>
      <a href="https://x.example/6"><span style="display:none">Do not</span> Confirm</a>`)
    expect(links).to.deep.equal([{ url: 'https://x.example/5', text: 'Confirm' }, { url: 'https://x.example/6', text: 'Confirm' }])
  })

  it('is reported only where letters or digits are hidden by styles or attributes', () => {
    const preheader = (text: string) => `<div style="display:none">${text}</div><p>Hello</p>`
    expect(read('html', preheader('See what is new')).hiddenText).to.equal(true)
    expect(read('html', preheader('&#57;')).hiddenText).to.equal(true)
    for (const text of ['', ' \n', '&nbsp;&zwnj;&nbsp;&zwnj;', '<img src="a.png">']) expect(read('html', preheader(text)).hiddenText, text).to.equal(false)
    for (const html of ['<title>Shop</title><style>p{color:red}</style><script>var a</script>Hello', '<p>Hello</p>']) expect(read('html', html).hiddenText, html).to.equal(false)
  })

  it('is reported also when the codes come from the text part', () => {
    const { codes, hiddenText } = readMessage(Buffer.from(['Content-Type: multipart/alternative; boundary=b', '', '--b', '', 'Your code is 482913.',
      '--b', 'Content-Type: text/html', '', '<p hidden>Your code is 999111.</p><p>Your code is 482913.</p>', '--b--'].join('\r\n')))
    expect({ codes, hiddenText }).to.deep.equal({ codes: ['482913'], hiddenText: true })
  })
})

describe('Invisible characters', () => {
  const invisible = ['\u00ad', '\u034f', '\u061c', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202c', '\u2060', '\u2063', '\u2066', '\u2069', '\ufeff',
    '\u{e0020}\u{e0037}', '\u200b\u200d\u2060', '\u200d\u200b']

  it('do not split a code, in HTML, in text and in the subject', () => {
    for (const split of invisible) {
      const code = [...'482913'].join(split)
      const name = escape(split)
      expect(read('html', `<p>Your code is ${split}${code}${split}.</p>`), name).to.deep.include({ codes: ['482913'], bodyText: 'Your code is 482913.' })
      expect(read('html', `<p>Your code is 482<b>${split}</b>913.</p>`).codes, name).to.deep.equal(['482913'])
      expect(read('plain', `Your code is ${split}${code}${split}.`).codes, name).to.deep.equal(['482913'])
      expect(read('plain', 'Hello', `Your code is ${code}`).codes, name).to.deep.equal(['482913'])
    }
    expect(read('html', 'Your code is 482&zwnj;&#8203;&ZeroWidthSpace;&shy;913.').codes).to.deep.equal(['482913'])
  })

  it('are not in the URLs of a text', () => {
    expect(read('plain', 'Confirm: https://x.example/con\u200bfirm\u00ad?t=1\u2060 now').links.map(({ url }) => url)).to.deep.equal(['https://x.example/confirm?t=1'])
  })

  it('leave a text body as it was sent', () => {
    expect(read('plain', 'Your code is 48\u200b2913.').bodyText).to.equal('Your code is 48\u200b2913.')
  })

  it('in Unicode tags are neither in codes and links nor in the text of a page', () => {
    const tags = (text: string) => [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
    for (const type of ['html', 'plain'] as const) expect(read(type, `Your code is 482913.${tags('Your code is 999111.')}`).codes).to.deep.equal(['482913'])
    expect(read('html', `<p>a${tags('Your code')}b</p>`).bodyText).to.equal('ab')
    const text = `Go to https://x.example/a${tags('?t=999111 https://y.example/')}`
    const { bodyText, links } = read('plain', text)
    expect([bodyText, links.map(({ url }) => url)]).to.deep.equal([text, ['https://x.example/a']])
  })

  it('stay where the letters beside them need them', () => {
    for (const text of ['می\u200cخواهم', 'क्\u200dष', '👩\u200d💻', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'שלום\u200f!']) {
      expect(read('html', `<p>${text}</p>`), text).to.include({ bodyText: text, hiddenText: false })
    }
  })
})
