import { Parser } from 'htmlparser2'

const hidden = new Set(['script', 'style', 'head', 'template', 'noscript', 'title'])
const blocks = new Set([
  'address', 'article', 'blockquote', 'br', 'center', 'dd', 'div', 'dl', 'dt', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
  'header', 'hr', 'li', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul',
])

/** What a page of HTML reads, for mail that has nothing else. Links and images are left out. */
export function htmlText(html: string): string {
  let text = ''
  let depth = 0
  const parser = new Parser({
    onopentagname(name) {
      if (hidden.has(name)) depth++
      if (blocks.has(name)) text += '\n'
      if (name === 'td' || name === 'th') text += ' '
      if (name === 'li') text += '- '
    },
    onclosetag(name) {
      if (hidden.has(name)) depth = Math.max(0, depth - 1)
      if (blocks.has(name) && name !== 'br') text += '\n'
    },
    ontext(part) {
      if (depth === 0) text += part.replace(/\s+/g, ' ')
    },
  })
  parser.end(html)
  return text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()).join('\n').replace(/\n{3,}/g, '\n\n').trim()
}
