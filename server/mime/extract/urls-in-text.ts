import { cleanText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import { wordPattern } from './word-pattern.ts'

interface TextUrl {
  url: string
  index: number
  /** The text before it. */
  hint: string
}

// Chinese, Japanese and Korean text, and a dash, may follow a URL without a space; a backslash is an escape, such as "\n"
const character = String.raw`(?:[^\s<>"'\u0060{}|\\^\p{Cc}\u2014\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]|'(?=[\p{L}\d])|[\u0060{}|^](?!https?:\/\/))`
const letter = String.raw`[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]`
/** Such letters within a URL: a label of its host, or a part of its path or query that others follow. */
const within = String.raw`(?:(?<=\/\/|\.)${letter}(?:${letter}|[\w-]){0,62}(?=\.)|(?<=[/=])${letter}{1,200}(?=[/?#&=]))`
const urlPattern = wordPattern(String.raw`https?:\/\/(?:${character}|${within}){1,4096}`, 'giu')
/** The rest of a URL in angle brackets that was wrapped (RFC 3986, appendix C), also in a quoted mail. */
const wrappedRest = wordPattern(String.raw`(?:[ \t]{0,8}\r?\n(?:[ \t]{0,8}>){0,20}[ \t]{0,8}${character}{1,4096}){1,20}>`, 'uy')

/** Maximum URLs of a text that are read, as many as anchors of a page. */
const maxUrls = 2_000
const maxHintChars = 80

/** Finds the http(s) URLs of a text, in their order. */
export function* urlsIn(text: string): Generator<TextUrl> {
  let end = 0
  let count = 0
  if (!text.includes('://')) return
  for (const { 0: match, index } of text.matchAll(urlPattern)) {
    if (++count > maxUrls) return
    const hint = text.slice(Math.max(end, index - maxHintChars), index)
    end = index + match.length
    const rest = /<(?:url:)?$/i.test(hint) ? restAfter(text, end, hint) : ''
    const cut = cutAtDelimiter(match + rest, hint)
    const whole = rest ? cut : withoutPunctuation(cut, hint)
    const url = readUrl(whole.includes('&') ? whole.replace(escapedAmpersand, '&') : whole)
    if (url) yield { url, index, hint }
  }
}

function restAfter(text: string, end: number, hint: string): string {
  wrappedRest.lastIndex = end
  const rest = wrappedRest.exec(text)?.[0] ?? ''
  return quotedLine.test(rest) && !quotedLine.test(`\n${hint}`) ? '' : rest.replace(/[\s>]+/g, '')
}

const quotedLine = /\n[ \t]{0,8}>/

/**
 * Cuts a URL at a sign that browsers keep, where it is a delimiter: in the host, where it also stands before the URL, as a brace that the
 * URL does not open, and before a label, `<URL|Verify>`.
 */
function cutAtDelimiter(url: string, before: string): string {
  if (!delimiters.test(url)) return url
  const enclosing = /[|`]$/.exec(before)?.[0]
  const bar = url.lastIndexOf('|')
  const label = before.endsWith('<') && onlyLetters.test(url.slice(bar + 1)) ? bar : -1
  let isInHost = true
  let depth = 0
  for (let at = url.indexOf('//') + 2; at < url.length; at++) {
    const char = url[at]!
    if (char === '/' || char === '?' || char === '#') isInHost = false
    else if (char === '{') depth++
    else if (char === '}') depth--
    if ((isInHost && delimiters.test(char)) || char === enclosing || depth < 0 || at === label) return url.slice(0, at)
  }
  return url
}

const delimiters = /[`{}|^]/
const onlyLetters = wordPattern(String.raw`^\p{L}+$`, 'u')

/** Text parts that are made of HTML often have the "&" of URLs as in HTML. */
const escapedAmpersand = /&(?:amp|#38|#x26);/gi

/** Punctuation, also of other scripts, such as an Arabic comma or a danda. */
const punctuation = /[.,;:!?|`{]|(?![\0-\x7f])\p{P}/u

/** Removes what follows a URL: punctuation, closing brackets that it does not open, and emphasis that also stands before it. */
function withoutPunctuation(match: string, before: string): string {
  const url = match.replace(/\]\(.*$/, '') // of Markdown: [URL](URL)
  const emphasis = [.../[*_~]*$/.exec(before.slice(-3))![0]]
  let end = url.length
  let round = 0
  let square = 0
  for (const char of url) {
    round += char === '(' ? 1 : char === ')' ? -1 : 0
    square += char === '[' ? 1 : char === ']' ? -1 : 0
  }
  for (; end > 0; end--) {
    const char = url[end - 1]!
    if (char === ')' && round < 0) round++
    else if (char === ']' && square < 0) square++
    else if (emphasis.includes(char)) emphasis.splice(emphasis.indexOf(char), 1)
    else if (!punctuation.test(char)) break
  }
  return url.slice(0, end)
}

/** Matches up to the end of the host. DNS names have at most 253 characters; a longer one takes time quadratic in its length. */
const urlWithHost = /^https?:\/\/[^/?#\\]{1,320}(?:[/?#\\]|$)/i

/** A URL that is valid and needs no cleaning, as most are. */
const plainUrl = /^https?:\/\/(?:(?!xn--)[a-z\d-]{1,63}\.){1,4}[a-z]{2,63}(?:[/?#][!-~]*)?$/i

/** Cleans a URL as browsers do. @returns null for a text that is no http(s) URL */
export function readUrl(href: string): string | null {
  if (href.length <= mimeLimits.linkUrlChars && plainUrl.test(href)) return href
  const url = cleanText(href.replace(/[\t\r\n]+/g, '').trim()).replaceAll(' ', '%20')
  const isLink = url.length <= mimeLimits.linkUrlChars && urlWithHost.test(url) && !/\p{Cc}/u.test(url)
  return isLink && URL.canParse(url) ? url : null
}

/** Resolves a URL that is relative to that of `<base>`. @returns null for one with a scheme, or of a place in the mail itself */
export function readRelativeUrl(href: string, base: string): string | null {
  const isRelative = base !== '' && !/^\s*(?:[a-z][a-z\d+.-]*:|#|$)/i.test(href)
  return isRelative && readUrl(base) && URL.canParse(href, base) ? readUrl(new URL(href, base).href) : null
}
