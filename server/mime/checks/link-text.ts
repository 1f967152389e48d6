import { getDomain } from 'tldts'

/** Full stops that browsers read as the dots of a host (UTS #46), beside the one of ASCII. */
const wideDots = '\u3002\uff0e\uff61\u2024'
/** Those between letters of one script: elsewhere they end sentences. */
const dotsInNames = new RegExp(String.raw`(?<=[\w\uff10-\uff5a-])[${wideDots}](?=[\w\uff10-\uff5a])`, 'g')

const hostWith = (dot: string) => String.raw`((?:[\p{L}\p{N}-]{1,63}${dot}){1,20}\p{L}{2,63}|\d{1,3}(?:\.\d{1,3}){3})`
const host = hostWith(String.raw`\.`)

/** A host of any name: in a URL, such as `Sign in at https://bank.example/login`, or at the beginning, such as `bank.example`. */
const hostTexts = [
  new RegExp(String.raw`(?:https?:[/\\]{0,3}|(?<![\p{L}\p{N}:/])\/\/)(?:([^\s/\\?#@]{0,200})@)?${hostWith(`[.${wideDots}]`)}`, 'iu'),
  new RegExp(String.raw`^[\p{P}\p{S}]{0,3}()${host}(?=[/:?#\\|\u203a\u00bb>\u2192]|[\p{P}\p{S}]{0,3}$)`, 'iu'),
]

/** A host within other words, such as `Bank.com login`; not in an address or a path. */
const hostAmongWords = new RegExp(String.raw`(?<![\p{L}\p{N}@./\\_-])${host}(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])`, 'giu')

/** @returns the host that the text of a link names, when the link leads to another registrable domain */
export function otherHostIn(text: string, linkHost: string): string | undefined {
  const written = text.trim().replaceAll(dotsInNames, '.')
  const target = siteOf(linkHost.replace(/:\d+$/, ''))
  const match = hostTexts.map((pattern) => pattern.exec(written)).find((each) => each !== null)
  if (match) {
    const [, user = '', found] = match
    const named = parseHost(hostAsUser.test(user) ? user : found!) // before "@", a reader takes a name for the host
    return named !== undefined && siteOf(named) !== target ? named : undefined
  }
  return Array.from(written.matchAll(hostAmongWords), ([, each]) => each!).filter((each) => isTopDomain(each.slice(each.lastIndexOf('.') + 1)))
    .map(parseHost).find((named) => named !== undefined && siteOf(named) !== target)
}

const hostAsUser = new RegExp(`^${host}$`, 'iu')

const parseHost = (written: string): string | undefined => URL.parse(`https://${written}`)?.hostname

/** The registrable domain of a host, such as that of a user of github.io; an IP address or a single label as it is. */
const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

/** Top-level domains that are no country's, and that names of products and files seldom end with. */
const generic = new Set(`com org net edu gov mil int info biz app dev bank shop store online site website xyz cloud email support club live top
  finance pay money insurance health news blog tech world today company digital services solutions group global`.split(/\s+/))

/** Countries whose codes are endings of files, or of names of products. */
const otherwiseUsed = new Set('ai cc gs md mk ml mm pl pm ps py rs sc sh so st tf ts vb'.split(' '))

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Whether words with a dot between them, the last of which is this one, are a host rather than a file, a product such as `Node.js`, or
 * sentences without a space between them, such as `Thanks.It`.
 */
function isTopDomain(written: string): boolean {
  const name = written.toLowerCase()
  if (generic.has(name)) return written !== 'NET' // ASP.NET
  return written === name && /^[a-z]{2}$/.test(name) && !otherwiseUsed.has(name) && countries.of(name.toUpperCase()) !== undefined
}
