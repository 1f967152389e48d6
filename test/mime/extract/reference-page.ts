import { Tokenizer } from 'htmlparser2'

interface ReferencePage { text: string, anchors: ReferenceAnchor[], baseUrl: string, hasHiddenText: boolean }
interface ReferenceAnchor { href: string, text: string, isButton: boolean, start: number, end: number }

/** Reads text and anchors of a page from the tokens of htmlparser2: what `scanHtml` has to find, without its limits. */
export function referencePage(source: string): ReferencePage {
  const page = openWriter()
  const anchors: ReferencePage['anchors'] = []
  let tag = ''
  let attribute = ''
  let value = ''
  let attributes: Record<string, string> = {}
  let hiddenBy = ''
  let anchor: { href: string, isButton: boolean, start: number, writer: ReturnType<typeof openWriter> } | null = null
  const nameAt = (start: number, end: number) => source.slice(start, end).toLowerCase()

  const tokenizer = new Tokenizer({ decodeEntities: true }, {
    onopentagname(start, end) {
      tag = nameAt(start, end)
      attributes = {}
    },
    onattribname(start, end) {
      attribute = nameAt(start, end)
      value = ''
    },
    onattribdata(start, end) { value += source.slice(start, end) },
    onattribentity(code) { value += String.fromCodePoint(code) },
    onattribend() { attributes[attribute] ??= value },
    onopentagend: openTag,
    onselfclosingtag: openTag,
    onclosetag(start, end) {
      const name = nameAt(start, end)
      if (name === hiddenBy) hiddenBy = ''
      else if (name === 'a') endAnchor()
      breakLine(name)
    },
    ontext(start, end) { write(source.slice(start, end)) },
    ontextentity(code) { write(String.fromCodePoint(code)) },
    oncdata() {}, oncomment() {}, ondeclaration() {}, onprocessinginstruction() {}, onend() {},
  })
  tokenizer.write(source)
  tokenizer.end()
  endAnchor()
  return { text: page.text(), anchors, baseUrl: '', hasHiddenText: false }

  function openTag(): void {
    if (['script', 'style', 'title', 'noscript', 'template', 'iframe', 'noembed', 'noframes'].includes(tag)) hiddenBy = tag
    breakLine(tag)
    if ((tag === 'td' || tag === 'th') && !hiddenBy) {
      write(' ')
      page.startCell()
    }
    else if (tag === 'li') write('- ')
    else if (tag === 'input' && attributes['value'] && attributes['type'] !== 'hidden') write(` ${attributes['value']} `)
    else if (tag === 'img') anchor?.writer.write(attributes['alt'] ?? '')
    else if (tag === 'a') {
      endAnchor()
      const { href, role, style } = attributes
      const isButton = role?.toLowerCase() === 'button' || /\b(?:btn|button|cta)/i.test(attributes['class'] ?? '')
        || /background(?:-color)?\s?:/i.test(style ?? '')
      if (href && isButton && !hiddenBy) write(' ')
      if (href) anchor = { href, isButton, start: page.length(), writer: openWriter() }
    }
  }

  function endAnchor(): void {
    if (anchor) {
      const { writer, ...read } = anchor
      anchors.push({ ...read, text: writer.text(), end: page.length() })
    }
    anchor = null
  }

  function breakLine(name: string): void {
    const count = lineBreaks[name] ?? 0
    page.breakLine(count)
    if (count > 0) anchor?.writer.write(' ')
  }

  function write(text: string): void {
    if (hiddenBy) return
    page.write(text)
    anchor?.writer.write(text)
  }
}

const lineBreaks: Record<string, number> = {
  br: 1, div: 1, tr: 1, li: 1, table: 1, section: 1, header: 1, footer: 1, article: 1, center: 1, dt: 1, dd: 1,
  address: 1, aside: 1, caption: 1, details: 1, dialog: 1, fieldset: 1, figcaption: 1, figure: 1, form: 1, hgroup: 1, legend: 1, main: 1,
  menu: 1, nav: 1, summary: 1,
  p: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2, ul: 2, ol: 2, blockquote: 2, pre: 2, hr: 2,
}

function openWriter() {
  let written = ''
  let lines = 0
  let isSpaced = false
  let space = ' '
  return {
    write(source: string) {
      const text = source.replace(/[\u00ad\u034f\u200b\ufeff]+/g, '').replace(/[\s\u2800]+/g, ' ')
      const words = text.trim()
      const isPadding = /^[\u200c\u200d]*$/.test(words) && (isSpaced || lines > 0 || written === '')
      if (words === '' || isPadding) {
        isSpaced ||= text !== ''
        return
      }
      if (written !== '') written += lines > 0 ? '\n'.repeat(lines) : isSpaced || text.startsWith(' ') ? space : ''
      written += words
      lines = 0
      space = ' '
      isSpaced = text.endsWith(' ')
    },
    startCell() { space = '\t' },
    breakLine(count: number) { lines = Math.max(lines, count) },
    length: () => written.length,
    text: () => written.replace(/(?<=[\da-z])[\u200c\u200d]+|[\u200c\u200d]+(?=[\da-z])/gi, ''),
  }
}
