import { cutText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import type { ParsedLink } from '../parsed-message.ts'
import { isNeutralLabel, sentenceAround } from './link-sentences.ts'
import type { LinkPlace } from './link-sentences.ts'
import {
  actionWords, asideWords, browserViewWords, footerWords, openWords, resetWords, settingsWords, signInWords, signUpWords, siteWords,
  socialHost, tokenInUrl, unaskedWords,
} from './link-words.ts'
import type { HtmlPage } from './html-page.ts'
import { readRelativeUrl, readUrl, urlsIn } from './urls-in-text.ts'

/**
 * Finds the http(s) links of a mail, each URL once: the likely call to action, then the others in the order of the mail: those of the HTML
 * body, then those that only the text body has. Links to unsubscribe, to terms, to social networks, to a home page and of a logo
 * count as a call to action only when there are no others.
 * @param page the HTML body, null for none
 * @param text the text body, '' for none
 */
export function findLinks(page: HtmlPage | null, text: string): ParsedLink[] {
  const byUrl = new Map<string, FoundLink>()
  if (page) collect(fromPage(page), byUrl, mimeLimits.links)
  collect(fromText(cutText(text, mimeLimits.scannedTextChars)), byUrl, byUrl.size + mimeLimits.links)
  return callToActionFirst([...byUrl.values()], page?.text ?? '').slice(0, mimeLimits.links).map(({ url, text: label }) => ({ url, text: label }))
}

interface FoundLink extends ParsedLink {
  /** The text before a URL that stands in a text. */
  hint: string
  /** Of an anchor. */
  place: LinkPlace | null
  isButton: boolean
  /** Whether it shows no text of its own, as a logo does. */
  isPicture: boolean
}

/** Yields the anchors, and between them the URLs of the text outside of anchors. */
function* fromPage({ anchors, text, baseUrl }: HtmlPage): Generator<FoundLink> {
  const urls = new Map<string, string | null>() // by href: many pages repeat a few
  const inText = fromText(text)
  let next = inText.next().value as TextLink | undefined
  let lastEnd = 0
  for (const { href, text: label, isButton, start, end } of anchors) {
    for (; next && next.index < end; next = inText.next().value as TextLink | undefined) if (next.index < start) yield next
    let url = urls.get(href)
    if (url === undefined) urls.set(href, url = readUrl(href) ?? readRelativeUrl(href, baseUrl))
    const place = { from: lastEnd, start }
    if (url) yield { url, text: label.includes('  ') ? label.replace(/ {2,}/g, ' ') : label, hint: '', place, isButton, isPicture: start === end }
    lastEnd = end
  }
  if (next) yield next
  yield* inText
}

interface TextLink extends FoundLink { index: number }

function* fromText(text: string): Generator<TextLink> {
  for (const { url, index, hint } of urlsIn(text)) {
    yield { url, text: cutText(url, mimeLimits.linkTextChars), hint, place: null, isButton: false, isPicture: false, index }
  }
}

function collect(links: Iterable<FoundLink>, byUrl: Map<string, FoundLink>, maxCount: number): void {
  for (const link of links) {
    const known = byUrl.get(link.url)
    // of an image and a text with the same URL, the text is kept
    if (known) {
      if (!known.text && link.text) [known.text, known.place] = [link.text, link.place]
      known.hint ||= link.hint
      known.isButton ||= link.isButton
      known.isPicture &&= link.isPicture
    } else if (byUrl.size < maxCount) byUrl.set(link.url, link)
  }
}

function callToActionFirst(links: FoundLink[], pageText: string): FoundLink[] {
  if (links.length < 2) return links
  let best = 0
  let bestScore = -Infinity
  for (const [i, link] of links.entries()) {
    const score = scoreOf(link, pageText)
    if (score > bestScore) [best, bestScore] = [i, score]
  }
  const [first] = links.splice(best, 1)
  return first ? [first, ...links] : []
}

/** Rates a link. Equal scores keep the order of the mail, so only signs of a call to action count. */
function scoreOf({ url, text, hint, place, isButton, isPicture }: FoundLink, pageText: string): number {
  const ownLabel = urlLabel.test(text) ? '' : normal(text)
  const isNeutral = ownLabel !== '' && isNeutralLabel(ownLabel)
  const label = isNeutral ? '' : ownLabel
  const address = normal(url)
  const path = afterHost(address)
  const pathname = path.split('?')[0]! // a token in the query may have any letters
  const purpose = label ? purposeOfLabel(label, isButton) : purposeOfHint(hint) || (text && place ? purposeOfSentence(pageText, text, place) : '')
  if (purpose === 'footer') return -1
  const byWords = purpose ? (label ? 4 : isOfEarlierSentence(hint) ? 0.5 : 3) * weights[purpose] : 0
  const byOpenWords = byWords > 0 ? 0 : openWords.test(label) || isLabelToOpen(hint) ? 2 : settingsWords.test(label) ? 1 : 0
  const hasActInPath = actionWords.test(path) || resetWords.test(path)
  const isForOneMail = hasActInPath || tokenInUrl.test(path)
  // a network sends mails of its own, too, with a button such as "Verify Email"
  const isSocial = socialHost.test(address) && !isForOneMail && !(isButton && byWords + byOpenWords > 0)
  if (isSocial) return -1
  if (purpose === 'site' && !(isButton && byOpenWords > 0)) return isButton ? -0.25 : -1
  if (!purpose && !isButton && !hasActInPath && byOpenWords === 0 && isPageOfSite(pathname)) return -1
  if (purpose === 'aside') return 0
  const byPath = byWords >= maxByPath ? 0 : 2 * weights[purposeOf(path) || 'none']
  const isHome = homePath.test(path)
  // the name of the sender in a header with a background looks like a button
  const byButton = isButton ? isHome && byWords + byOpenWords === 0 ? 1 : 11 : 0
  const score = Math.max(byWords, byPath) + (isForOneMail ? 1 : 0) + byButton + byOpenWords
  if (score === 0) return isPicture || isHome ? -0.5 : 0
  const isUnasked = !isButton && label !== '' && place && unaskedWords.test(lastSentence(normal(sentenceAround(pageText, text, place).lead)))
  return isUnasked ? score / 10 : score
}

/** The highest score of a path. */
const maxByPath = 6

/** Whether a path is that of a page of the footer, and not of one for a reader, such as that of a ticket. */
const isPageOfSite = (pathname: string): boolean => footerWords.test(pathname) || (siteWords.test(pathname) && !/\d{3}/.test(pathname))

type Purpose = keyof typeof weights

/** An action counts more than a button whose label says nothing, and less than one with a word such as "view". */
const weights = { action: 3, reset: 2.4, signUp: 2.2, signIn: 2, none: 0, aside: 0, site: 0, footer: 0 }

/**
 * Returns the purpose that the first of the words says; '' without one. Of several acts, the weightiest counts, whichever stands first:
 * nouns such as "Passwort" precede their verb in many languages.
 */
function purposeOf(text: string): Purpose | '' {
  let first = Infinity
  let purpose: Purpose | '' = ''
  for (const [name, words] of purposes) {
    const at = text.search(words)
    if (at < 0 || at >= first) continue
    first = at
    if (!purpose || weights[purpose] === 0) purpose = name
    if (at === 0) break
  }
  return purpose
}

/** The same of a label. An act counts more than a page of a site before it, "Kontaktdaten bestätigen"; on a button more than all others. */
function purposeOfLabel(label: string, isButton: boolean): Purpose | '' {
  const purpose = purposeOf(label)
  if (purpose !== 'site' && !(purpose === 'footer' && isButton)) return purpose
  return acts.some((words) => words.test(label)) ? 'action' : purpose
}

/** Of actions, also those that only complete something. */
const acts = [actionWords, resetWords, signUpWords]

const purposeOfHint = (hint: string): Purpose | '' => purposeOf(lastLine(normal(hint))) || purposeOf(normal(hint))

/** Whether a sentence before that of a URL says the purpose: "You can accept this invitation. You can also head over to URL". */
function isOfEarlierSentence(hint: string): boolean {
  const line = lastLine(normal(hint))
  const sentence = lastSentence(line)
  if (sentence.length === line.length || !/\p{L}/u.test(sentence) || /[:：]$/.test(sentence) || isNeutralLabel(sentence)) return false
  return purposeOf(sentence) === ''
}

/** Whether the line of a URL is a short label that says to open it: "View invitation: ". */
const isLabelToOpen = (hint: string): boolean => labelOfLine.test(lastLine(normal(hint))) && openWords.test(lastLine(normal(hint)))

const labelOfLine = /^[^.:：]{1,40}[:：]$/

/**
 * The purpose that the words around a link say. Those that follow it at once count first: "here to unsubscribe", then those before it, then
 * those in another part of the sentence.
 */
function purposeOfSentence(pageText: string, label: string, place: LinkPlace): Purpose | '' {
  const { before, after } = sentenceAround(pageText, label, place)
  const rest = normal(after)
  return purposeOf(/^(?:[^.,;:()]*)/u.exec(rest)![0]) || purposeOf(normal(before)) || purposeOf(rest)
}

/** The acts last, and of these the weightiest first. */
const purposes: [Purpose, RegExp][] = [
  ['footer', footerWords], ['footer', browserViewWords], ['site', siteWords], ['aside', asideWords],
  ['action', actionWords], ['reset', resetWords], ['signUp', signUpWords], ['signIn', signInWords],
]

/** The path of a home page, to which a logo leads. */
const homePath = /^\/?(?:\?utm_\S*)?$/

/** The label of a link that is a URL, also without its scheme and cut. */
const urlLabel = /^(?:https?:\/\/\S*|(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}(?:[/?#]\S*)?)$/i

/** The last sentence of a text before a link, with a question before it: "Forgot your password? Reset it here:". */
const lastSentence = (text: string): string => /[^.!。！\n]*$/u.exec(text.trimEnd())![0]

const lastLine = (text: string): string => text.trimEnd().slice(text.trimEnd().lastIndexOf('\n') + 1)

const normal = (text: string): string => text.slice(0, 300).normalize('NFC').toLowerCase()

/** Of a URL in the query of another: the slash, and the signs of a query. */
const escaped = /%(?:2f|3d|3f|26)/g

function afterHost(url: string): string {
  const slash = url.indexOf('/', 8)
  return slash < 0 ? '' : url.slice(slash).replace(escaped, '/')
}
