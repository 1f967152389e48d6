import { fieldOf, searchAddress } from '../../domain/address-mail.ts'
import type { FoundMail, MailSearch, NamedMailbox } from '../../domain/address-mail.ts'
import { invalidInput } from '../../errors.ts'
import type { MailHead } from '../../store/mail/address-mail.ts'
import { searchedLength } from '../../store/search/search-terms.ts'
import { comparesAllWords, hasWord, maxComparedWords } from '../../store/search/search.ts'
import { withParticipants } from './compatible-call.ts'
import type { CompatibleCall, ListedMail } from './compatible-call.ts'

/** Maximum terms of a query that are compared. */
const maxTerms = 20

type Condition = (mail: ListedMail) => boolean

export interface MailpitQuery {
  /** Undefined without a term that can be compared: no mail matches. */
  search: MailSearch | undefined
  /** Whether all terms are compared as Mailpit does: phrases are not, as only their words are, in any order. */
  isWhole: boolean
}

/** Finds mails of the address to show them. */
export async function searchMail(call: CompatibleCall, query: string): Promise<FoundMail[]> {
  return find(call, parseQuery(query))
}

/** Finds mails of the address to change or delete them: none that one of the terms was not compared with in full. */
export async function searchToChange(call: CompatibleCall, query: string): Promise<FoundMail[]> {
  const parsed = parseQuery(query)
  if (parsed.search && !parsed.isWhole) throw invalidInput(`Error: a search that changes messages needs terms that can all be compared: ${limits}.`)
  return find(call, { ...parsed, search: parsed.search && withoutLongMails(parsed.search) })
}

const withoutLongMails = (search: MailSearch): MailSearch => search.excluded.length === 0 ? search : {
  ...search, matches: (head) => head.size <= searchedLength && search.matches(head),
}

const find = async ({ app, address, turn }: CompatibleCall, { search }: MailpitQuery): Promise<FoundMail[]> =>
  search ? searchAddress(app, address, search, turn) : []

const limits = `maximum ${maxTerms} terms with ${maxComparedWords} words, each term a word or a filter; a phrase in a filter alone, such as subject:"Your code"`

/**
 * Parses a query of Mailpit: words, phrases in quotes and filters such as `to:ada@example.com`, each negated by `-` or `!`. All have to
 * match.
 * @see https://mailpit.axllent.org/docs/usage/search-filters/
 */
export function parseQuery(query: string): MailpitQuery {
  const words: string[] = []
  const excluded: string[] = []
  const conditions: Condition[] = []
  const terms = termsOf(query)
  let isWhole = terms.length <= maxTerms
  for (const term of terms.slice(0, maxTerms)) {
    const isNegated = term.length > 1 && /^[-!]/.test(term)
    const text = isNegated ? term.slice(1) : term
    const condition = conditionOf(text)
    if (condition) conditions.push(isNegated ? (mail) => !condition(mail) : condition)
    else if (condition === null || !hasWord(text)) isWhole = false
    else {
      (isNegated ? excluded : words).push(text)
      if (/\s/.test(text)) isWhole = false
    }
  }
  const search = {
    words: words.join(' '),
    excluded,
    matches(head: MailHead) {
      if (conditions.length === 0) return true
      const mail = withParticipants(head)
      return conditions.every((condition) => condition(mail))
    },
  }
  isWhole &&= ['', ...excluded].every((text) => comparesAllWords(`${search.words} ${text}`))
  return { search: words.length + excluded.length + conditions.length > 0 ? search : undefined, isWhole }
}

/** The terms of a query, which spaces separate outside of quotes, without the quotes. */
const termsOf = (query: string) =>
  (query.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map((term) => term.replaceAll('"', '').trim()).filter((term) => term !== '')

/** @returns undefined for words, null for a filter whose value cannot be read: it is ignored */
function conditionOf(term: string): Condition | null | undefined {
  const flag = flags.get(term.toLowerCase())
  if (flag) return flag
  const [, name = '', value = ''] = /^([a-z-]+):(.*)$/is.exec(term) ?? []
  const filter = filters.get(name.toLowerCase())
  return filter && (value === '' ? null : filter(value.trim().toLowerCase()))
}

const isIn = (mailboxes: NamedMailbox[], text: string) =>
  mailboxes.some(({ name, address }) => name.toLowerCase().includes(text) || address.toLowerCase().includes(text))

const flags = new Map<string, Condition>(Object.entries({
  'is:read': ({ isRead }) => isRead,
  'is:unread': ({ isRead }) => !isRead,
  'is:tagged': () => false,
  'has:attachment': ({ attachments }) => attachments > 0,
  'has:attachments': ({ attachments }) => attachments > 0,
  'has:inline': ({ inlineFiles }) => inlineFiles > 0,
  'has:inlines': ({ inlineFiles }) => inlineFiles > 0,
}))

/** By name, with the value in lower case. */
const filters = new Map<string, (value: string) => Condition | null>(Object.entries({
  'to': (value) => ({ to }) => isIn(to, value),
  'from': (value) => ({ from }) => isIn([from], value),
  'cc': (value) => ({ cc }) => isIn(cc, value),
  'bcc': (value) => ({ bcc }) => isIn(bcc, value),
  'reply-to': (value) => ({ replyTo }) => isIn(replyTo, value),
  'addressed': (value) => ({ from, to, cc, bcc, replyTo }) => isIn([from, ...to, ...cc, ...bcc, ...replyTo], value),
  'subject': (value) => ({ subject }) => subject.toLowerCase().includes(value),
  'message-id': (value) => (mail) => fieldOf(mail, 'message-id').toLowerCase().includes(value),
  'tag': () => () => false,
  'after': (value) => comparedWith(Date.parse(value), (time) => ({ receivedAt }) => receivedAt >= time),
  'before': (value) => comparedWith(Date.parse(value), (time) => ({ receivedAt }) => receivedAt <= time),
  'larger': (value) => comparedWith(bytesOf(value), (bytes) => ({ size }) => size > bytes),
  'smaller': (value) => comparedWith(bytesOf(value), (bytes) => ({ size }) => size < bytes),
}))

const comparedWith = (number: number, condition: (number: number) => Condition): Condition | null =>
  Number.isNaN(number) ? null : condition(number)

/** `2kb` or `1.5M`, in bytes. */
function bytesOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s?([km]?)b?$/.exec(text) ?? []
  return Number(digits) * { '': 1, 'k': 1024, 'm': 1024 * 1024 }[unit as '' | 'k' | 'm']
}
