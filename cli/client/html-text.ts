import { Tokenizer } from 'htmlparser2'

const hidden = new Set(['script', 'style', 'template', 'noscript', 'title'])
const blocks = new Set([
  'address', 'article', 'blockquote', 'br', 'center', 'dd', 'div', 'dl', 'dt', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
  'header', 'hr', 'li', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul',
])

/**
 * The text of an HTML body, for mail without a text body, without links and images. It reads tokens and builds no tree, so its time is
 * linear in the size of the body, however deeply the elements are nested.
 */
export function htmlText(html: string): string {
  let text = ''
  let tag = ''
  let hiddenBy = ''
  const tokenizer = new Tokenizer({ decodeEntities: true }, {
    onopentagname(start, end) { tag = nameAt(start, end) },
    onopentagend: open,
    onselfclosingtag: open,
    onclosetag(start, end) {
      const name = nameAt(start, end)
      if (name === hiddenBy) hiddenBy = ''
      if (blocks.has(name) && name !== 'br') text += '\n'
    },
    ontext(start, end) { write(html.slice(start, end)) },
    ontextentity(code) { write(String.fromCodePoint(code)) },
    onattribname() {}, onattribdata() {}, onattribentity() {}, onattribend() {},
    oncdata() {}, oncomment() {}, ondeclaration() {}, onprocessinginstruction() {}, onend() {},
  })
  tokenizer.write(html)
  tokenizer.end()
  return text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()).join('\n').replace(/\n{3,}/g, '\n\n').trim()

  function nameAt(start: number, end: number): string {
    return html.slice(start, end).toLowerCase()
  }

  function open(): void {
    if (hidden.has(tag)) hiddenBy ||= tag
    if (blocks.has(tag)) text += '\n'
    if (tag === 'td' || tag === 'th') text += ' '
    if (tag === 'li') text += '- '
  }

  function write(part: string): void {
    if (!hiddenBy) text += part.replace(/\s+/g, ' ')
  }
}
