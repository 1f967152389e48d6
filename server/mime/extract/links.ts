import { cleanText, cutText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import type { ParsedLink } from '../parsed-message.ts'
import { actionWords, footerWords, signInWords, socialHost } from './link-words.ts'
import type { HtmlPage } from './scan-html.ts'

/**
 * Finds the http(s) links of a mail, each URL once: the likely call to action, then the others in the order of the mail. Links to
 * unsubscribe, to terms and to social networks count as a call to action only when there are no others.
 * @param page the HTML body, null for none; the URLs of the text are used only when it has no anchors
 */
export function findLinks(page: HtmlPage | null, text: string): ParsedLink[] {
  const anchors = collect(page ? fromAnchors(page) : [])
  const found = anchors.length > 0 ? anchors : collect(fromText(cutText(text, mimeLimits.scannedTextChars)))
  return callToActionFirst(found).map(({ url, text: label }) => ({ url, text: label }))
}

interface FoundLink extends ParsedLink { hint: string, isButton: boolean }

function* fromAnchors(page: HtmlPage): Generator<FoundLink> {
  const urls = new Map<string, string | null>() // by href: many pages repeat a few
  for (const { href, text, isButton } of page.anchors) {
    let url = urls.get(href)
    if (url === undefined) urls.set(href, url = readUrl(href))
    if (url) yield { url, text: text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text, hint: '', isButton }
  }
}

// Chinese, Japanese and Korean text may follow a URL without a space
const urlInText = /https?:\/\/[^\s<>"'`{}|\\^\p{Cc}\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]{1,4096}/giu

/** Maximum URLs of a text that are read, as many as anchors (`maxAnchors`). */
const maxUrls = 2_000

function* fromText(text: string): Generator<FoundLink> {
  let end = 0
  let count = 0
  if (!text.includes('://')) return
  for (const match of text.matchAll(urlInText)) {
    if (++count > maxUrls) return
    const url = readUrl(withoutPunctuation(match[0]))
    const hint = text.slice(Math.max(end, match.index - 80), match.index)
    end = match.index + match[0].length
    if (url) yield { url, text: cutText(url, mimeLimits.linkTextChars), hint, isButton: false }
  }
}

/** Removes punctuation at the end of a URL, and closing brackets that it does not open. */
function withoutPunctuation(url: string): string {
  let end = url.length
  let open = 0
  for (const char of url) open += char === '(' ? 1 : char === ')' ? -1 : 0
  for (; end > 0; end--) {
    const char = url[end - 1]!
    if (char === ')' && open < 0) open++
    else if (!'.,;:!?*_~]'.includes(char)) break
  }
  return url.slice(0, end)
}

/** Matches up to the end of the host. DNS names have at most 253 characters; a longer one takes time quadratic in its length. */
const urlWithHost = /^https?:\/\/[^/?#\\]{1,320}(?:[/?#\\]|$)/i

/** A URL that is valid and needs no cleaning, as most are. */
const plainUrl = /^https?:\/\/(?:(?!xn--)[a-z\d-]{1,63}\.){1,4}[a-z]{2,63}(?:[/?#][!-~]*)?$/i

function readUrl(href: string): string | null {
  if (href.length <= mimeLimits.linkUrlChars && plainUrl.test(href)) return href
  const url = cleanText(href.replace(/[\t\r\n]+/g, '').trim()).replaceAll(' ', '%20')
  const isLink = url.length <= mimeLimits.linkUrlChars && urlWithHost.test(url) && !/\p{Cc}/u.test(url)
  return isLink && URL.canParse(url) ? url : null
}

function collect(links: Iterable<FoundLink>): FoundLink[] {
  const byUrl = new Map<string, FoundLink>()
  for (const link of links) {
    const known = byUrl.get(link.url)
    // of an image and a text with the same URL, the text is kept
    if (known) {
      known.text ||= link.text
      known.isButton ||= link.isButton
    } else if (byUrl.size < mimeLimits.links) byUrl.set(link.url, link)
  }
  return [...byUrl.values()]
}

function callToActionFirst(links: FoundLink[]): FoundLink[] {
  let best = 0
  let bestScore = -Infinity
  for (const [i, link] of links.entries()) {
    const score = scoreOf(link)
    if (score > bestScore) [best, bestScore] = [i, score]
  }
  const [first] = links.splice(best, 1)
  return first ? [first, ...links] : []
}

/** Rates a link. Equal scores keep the order of the mail, so only signs of a call to action count. */
function scoreOf({ url, text, hint, isButton }: FoundLink): number {
  const label = text === url || url.startsWith(text) ? '' : normal(text)
  const address = normal(url)
  const path = afterHost(address)
  const words = label || normal(hint)
  const isFooter = footerWords.test(words) || (!rate(words) && footerWords.test(path))
  if (isFooter || socialHost.test(address)) return -1
  return rate(words) * (label ? 4 : 2) + rate(path) * 2 + (isButton ? 3 : 0)
}

function rate(text: string): number {
  return actionWords.test(text) ? 3 : signInWords.test(text) ? 2 : 0
}

function normal(text: string): string {
  return text.slice(0, 300).normalize('NFC').toLowerCase()
}

function afterHost(url: string): string {
  const slash = url.indexOf('/', 8)
  return slash < 0 ? '' : url.slice(slash)
}
