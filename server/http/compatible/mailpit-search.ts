import { headerOf, searchAddress } from '../../domain/address-mail.ts'
import type { FoundMail, MailSearch, NamedMailbox } from '../../domain/address-mail.ts'
import { withParticipants } from './compatible-call.ts'
import type { CompatibleCall, ListedMail } from './compatible-call.ts'

/** Maximum conditions of a query; further ones are ignored. */
const maxTerms = 20

type Condition = (mail: ListedMail) => boolean

export const searchMail = (call: CompatibleCall, query: string): Promise<FoundMail[]> =>
  searchAddress(call.app, call.address, parseQuery(query), call.turn)

/**
 * Parses a query of Mailpit: words, phrases in quotes and filters such as `to:ada@example.com`, each negated by `-` or `!`. All have to
 * match.
 * @see https://mailpit.axllent.org/docs/usage/search-filters/
 */
export function parseQuery(query: string): MailSearch {
  const words: string[] = []
  const excluded: string[] = []
  const conditions: Condition[] = []
  for (const term of termsOf(query).slice(0, maxTerms)) {
    const isNegated = term.length > 1 && /^[-!]/.test(term)
    const text = isNegated ? term.slice(1) : term
    const condition = conditionOf(text)
    if (condition) conditions.push(isNegated ? (mail) => !condition(mail) : condition)
    else if (isNegated) excluded.push(text)
    else words.push(text)
  }
  return {
    words: words.join(' '),
    excluded,
    matches(head) {
      if (conditions.length === 0) return true
      const mail = withParticipants(head)
      return conditions.every((condition) => condition(mail))
    },
  }
}

/** The terms of a query, which spaces separate outside of quotes, without the quotes. */
const termsOf = (query: string) =>
  (query.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map((term) => term.replaceAll('"', '').trim()).filter((term) => /[\p{L}\p{N}]/u.test(term))

/** @returns undefined for words */
function conditionOf(term: string): Condition | undefined {
  const flag = flags[term.toLowerCase()]
  if (flag) return flag
  const [, name = '', value = ''] = /^([a-z-]+):(.+)$/is.exec(term) ?? []
  return filters[name.toLowerCase()]?.(value.trim().toLowerCase())
}

const isIn = (mailboxes: NamedMailbox[], text: string) =>
  mailboxes.some(({ name, address }) => name.toLowerCase().includes(text) || address.toLowerCase().includes(text))

const flags: Record<string, Condition> = {
  'is:read': ({ isRead }) => isRead,
  'is:unread': ({ isRead }) => !isRead,
  'is:tagged': () => false,
  'has:attachment': ({ attachments }) => attachments > 0,
  'has:attachments': ({ attachments }) => attachments > 0,
  'has:inline': ({ inlineFiles }) => inlineFiles > 0,
  'has:inlines': ({ inlineFiles }) => inlineFiles > 0,
}

/** By name, with the value in lower case. */
const filters: Record<string, (value: string) => Condition | undefined> = {
  'to': (value) => ({ to }) => isIn(to, value),
  'from': (value) => ({ from }) => isIn([from], value),
  'cc': (value) => ({ cc }) => isIn(cc, value),
  'bcc': (value) => ({ bcc }) => isIn(bcc, value),
  'reply-to': (value) => ({ replyTo }) => isIn(replyTo, value),
  'addressed': (value) => ({ from, to, cc, bcc, replyTo }) => isIn([from, ...to, ...cc, ...bcc, ...replyTo], value),
  'subject': (value) => ({ subject }) => subject.toLowerCase().includes(value),
  'message-id': (value) => (mail) => headerOf(mail, 'message-id').toLowerCase().includes(value),
  'tag': () => () => false,
  'after': (value) => comparedWith(Date.parse(value), (time) => ({ receivedAt }) => receivedAt >= time),
  'before': (value) => comparedWith(Date.parse(value), (time) => ({ receivedAt }) => receivedAt <= time),
  'larger': (value) => comparedWith(bytesOf(value), (bytes) => ({ size }) => size > bytes),
  'smaller': (value) => comparedWith(bytesOf(value), (bytes) => ({ size }) => size < bytes),
}

/** A time or a size that cannot be read is ignored. */
const comparedWith = (number: number, condition: (number: number) => Condition): Condition =>
  Number.isNaN(number) ? () => true : condition(number)

/** `2kb` or `1.5M`, in bytes. */
function bytesOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s?([km]?)b?$/.exec(text) ?? []
  return Number(digits) * { '': 1, 'k': 1024, 'm': 1024 * 1024 }[unit as '' | 'k' | 'm']
}
