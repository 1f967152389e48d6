/** Called with the key of a feature, once for each use. */
type Use = (key: string) => void

/** Longer selectors, queries and values are read up to here. */
const maxChars = 10_000

/** Kinds of open blocks: rules for elements, at-rules with rules in them, at-rules with declarations, and keyframes. */
type Block = 'rule' | 'group' | 'descriptors' | 'frames'

/** Finds the features that a style sheet uses. It reads each character once, and bounded pieces a few times. */
export function scanStyleSheet(source: string, use: Use): void {
  const css = withoutComments(source, use)
  const blocks: Block[] = []
  let start = 0
  for (let at = 0; at < css.length; at++) {
    const character = css[at]!
    if (character === '"' || character === "'") at = endOfString(css, at)
    else if (character === '(') at = endOfUrl(css, at)
    else if (character === '{') {
      blocks.push(openBlock(css.slice(start, at).trim(), blocks.at(-1), use))
      start = at + 1
    } else if (character === ';' || character === '}') {
      readStatement(css.slice(start, at).trim(), blocks.at(-1), use)
      if (character === '}') blocks.pop()
      start = at + 1
    }
  }
}

/** Finds the features that the declarations of a style attribute use. */
export function scanDeclarations(source: string, use: Use): void {
  const css = withoutComments(source, use)
  let start = 0
  for (let at = 0; at <= css.length; at++) {
    const character = css[at]
    if (character === '"' || character === "'") at = endOfString(css, at)
    else if (character === '(') at = endOfUrl(css, at)
    else if (character === ';' || character === undefined) {
      readDeclaration(css.slice(start, at).trim(), use)
      start = at + 1
    }
  }
}

function withoutComments(css: string, use: Use): string {
  if (!css.includes('/*')) return css
  const pieces: string[] = []
  let from = 0
  for (let at = css.indexOf('/*'); at >= 0; at = css.indexOf('/*', from)) {
    use('/*')
    pieces.push(css.slice(from, at))
    const end = css.indexOf('*/', at + 2)
    from = end < 0 ? css.length : end + 2
  }
  return pieces.join(' ') + css.slice(from)
}

/** @returns the index of the quote at its end; that of the end of its line when it has none */
function endOfString(css: string, at: number): number {
  const quote = css[at]
  for (let end = at + 1; end < css.length; end++) {
    if (css[end] === '\\') end++
    else if (css[end] === quote || css[end] === '\n') return end
  }
  return css.length
}

/** @returns the index of the parenthesis after a URL without quotes, whose semicolons end nothing; else `at` */
function endOfUrl(css: string, at: number): number {
  if (css.slice(at - 3, at).toLowerCase() !== 'url' || /^\s?["']/.test(css.slice(at + 1, at + 3))) return at
  const end = css.indexOf(')', at)
  return end < 0 ? css.length : end
}

function openBlock(prelude: string, around: Block | undefined, use: Use): Block {
  const text = prelude.slice(0, maxChars)
  const name = /^@(?:-[a-z]+-)?([a-z-]+)/i.exec(text)?.[1]?.toLowerCase()
  if (!name) {
    if (around === 'rule') use('{{')
    if (around !== 'frames') readSelectors(text, use)
    return 'rule'
  }
  use(`@${name}`)
  if (name === 'media') for (const [, feature] of text.toLowerCase().matchAll(mediaFeature)) use(`@media(${feature})`)
  if (name === 'keyframes') return 'frames'
  if (name === 'font-face' || name === 'page' || name === 'property') return 'descriptors'
  if (around === 'rule') use('{{')
  return around === 'rule' ? 'rule' : 'group'
}

const mediaFeature = /\(\s?(?:-(?:webkit|moz|ms)-)?(?:min-|max-|min--moz-)?([a-z-]+)/g

function readStatement(text: string, block: Block | undefined, use: Use): void {
  if (text.startsWith('@')) use(/^@[a-z-]+/i.exec(text)?.[0].toLowerCase() ?? '@')
  else if (block === 'rule') readDeclaration(text, use)
}

function readDeclaration(text: string, use: Use): void {
  const colon = text.indexOf(':')
  if (colon <= 0) return
  const name = text.slice(0, Math.min(colon, 60)).trim().toLowerCase()
  const written = text.slice(colon + 1, colon + 1 + maxChars)
  use(name.startsWith('--') ? '--' : name)
  for (const [, quoted, bare] of written.matchAll(urls)) useImage(quoted ?? bare!, use)
  const value = written.replaceAll(urls, ' ').replaceAll(strings, ' ').toLowerCase()
  for (const [, call, number, unit, word] of value.matchAll(tokens)) {
    if (call) use(call === 'var(' ? '--' : `${call})`)
    else if (number) use(`1${unit}`)
    else if (word?.startsWith('!')) use('!important')
    else if (word) {
      use(`=${word}`)
      use(`${name}=${word}`)
    }
  }
}

const urls = /url\(\s?(?:["']([^"']*)["']|([^"'()]*))\s?\)/gi
const strings = /"[^"]*"|'[^']*'/g
/** A function, a number with its unit, or a word. Colours in hexadecimal digits are none of them. */
const tokens = /#[\w-]+|(-{0,2}[a-z][\w-]*\()|(\d)(%|[a-z]+)|(!\s?important\b|-{0,2}[a-z][\w-]*)/g

function readSelectors(text: string, use: Use): void {
  const selectors = text.toLowerCase().replaceAll(strings, '').replaceAll(/\[[^[\]]*\]/g, '[]').replaceAll(/\\./g, 'x').split(',')
  if (selectors.length > 1) use('a,b')
  for (const selector of selectors) {
    for (const [, combinator, pseudo, mark, type] of selector.trim().matchAll(selectorTokens)) {
      if (combinator !== undefined) use(`a${combinator.trim() || ' '}b`)
      else if (pseudo) use(oldPseudoElements.has(pseudo) ? `:${pseudo}` : pseudo)
      else if (mark === '.') use('.a')
      else if (mark === '#') use('#a')
      else if (mark === '[') use('[a]')
      else if (mark === '*') use('*')
      else if (type) use('a')
    }
    if (/\.[\w-]+\.[\w-]/.test(selector)) use('.a.b')
  }
}

/** The parts of a selector: combinators, pseudo-classes and pseudo-elements with their arguments, classes, ids, attributes, `*`, types. */
const selectorTokens = /(\s+(?:[>+~]\s*)?|[>+~]\s*)|(::?[\w-]+)(?:\([^()]*\))?|([.#[*])[\w-]*\]?|([\w-]+)/g
/** They may be written with one colon (CSS 2). */
const oldPseudoElements = new Set([':before', ':after', ':first-letter', ':first-line'])

/** Uses the format of an image, by the end of its path or the media type of its data. */
export function useImage(url: string, use: Use): void {
  const start = url.slice(0, 2_000).trim().toLowerCase()
  const data = /^data:image\/([\w.+-]+)/.exec(start)
  if (data) {
    use('data:image')
    use(`.${data[1]!.replace('vnd.microsoft.icon', 'ico').replace('x-icon', 'ico')}`)
    return
  }
  const format = /\.([a-z0-9]{2,5})$/.exec(start.split(/[?#]/, 1)[0]!)?.[0]
  if (format) use(format)
}
