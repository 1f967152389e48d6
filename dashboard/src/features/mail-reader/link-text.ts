import { isTopDomain } from './top-domains.ts'

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

/** @returns the host that the text of a link names, when the link leads to another one */
export function otherHostIn(text: string, linkHost: string): string | undefined {
  const written = text.trim().replaceAll(dotsInNames, '.')
  const target = withoutWww(linkHost.replace(/:\d+$/, ''))
  const match = hostTexts.map((pattern) => pattern.exec(written)).find((each) => each !== null)
  if (match) {
    const [, user = '', found] = match
    const named = parseHost(hostAsUser.test(user) ? user : found!) // before "@", a reader takes a name for the host
    return named !== undefined && withoutWww(named) !== target ? named : undefined
  }
  return Array.from(written.matchAll(hostAmongWords), ([, each]) => each!).filter((each) => isTopDomain(each.slice(each.lastIndexOf('.') + 1)))
    .map(parseHost).find((named) => named !== undefined && !`.${target}`.endsWith(`.${withoutWww(named)}`))
}

const hostAsUser = new RegExp(`^${host}$`, 'iu')

const parseHost = (written: string): string | undefined => URL.parse(`https://${written}`)?.hostname

const withoutWww = (host: string): string => host.replace(/^www\./, '')
