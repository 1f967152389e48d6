import { createHash } from 'node:crypto'

/** The fields of a header that connect a mail with those before it (RFC 5322, section 3.6.4). Ids are without their angle brackets. */
export interface ThreadFields {
  messageId: string | null
  /** The mail that it answers. */
  inReplyTo: string | null
  /** The mails before it, the first of the thread first; at most `maxReferences`. */
  references: string[]
}

/** Maximum ids that are read of a header, and that a reply has. */
const maxReferences = 100

/** @param headers by name, as `ParsedHeader` has them */
export function threadFieldsOf(headers: Record<string, string>): ThreadFields {
  return {
    messageId: messageIdsIn(headerValue(headers, 'message-id'))[0] ?? null,
    inReplyTo: messageIdsIn(headerValue(headers, 'in-reply-to'))[0] ?? null,
    references: shortened(messageIdsIn(headerValue(headers, 'references'))),
  }
}

/** @param name in lower case @returns '' without such a field */
export function headerValue(headers: Record<string, string>, name: string): string {
  for (const written in headers) if (written.length === name.length && written.toLowerCase() === name) return headers[written]!
  return ''
}

/**
 * The id of the thread of a mail: a hash of the first Message-ID that its header names. So all mails of a thread have the same, in whatever
 * order they arrive, and none is looked up. Programs that answer keep the first of the references.
 * @param own an id for a mail whose header names none
 */
export function threadIdOf({ messageId, inReplyTo, references }: ThreadFields, own: string): string {
  const first = references[0] ?? inReplyTo ?? messageId ?? own
  return createHash('sha256').update(first).digest('hex').slice(0, 32)
}

/** The header fields of a reply to a mail (RFC 5322, section 3.6.4); none to a mail without a Message-ID that can be written. */
export function replyHeaders({ messageId, inReplyTo, references }: ThreadFields): Record<string, string> {
  if (messageId === null || !isWritable(messageId)) return {}
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo]
  const ids = shortened([...before.filter((id) => id !== messageId && isWritable(id)), messageId], maxWrittenChars)
  return { 'In-Reply-To': `<${messageId}>`, References: ids.map((id) => `<${id}>`).join(' ') }
}

/** Maximum characters of the references of a reply: other servers refuse long headers. */
const maxWrittenChars = 8_000

/** Whether an id can stand in a header: in ASCII, and on a line of at most 998 characters (RFC 5322, section 2.1.1). */
const isWritable = (id: string) => /^[!-~]{1,980}$/.test(id)

/** Leaves out ids after the first, which names the thread, and before the last ones. */
function shortened(ids: string[], maxChars = Infinity): string[] {
  const [first] = ids
  if (first === undefined) return []
  let chars = first.length
  const last = ids.slice(1).slice(1 - maxReferences).reverse()
  const end = last.findIndex((id) => (chars += id.length) > maxChars)
  return [first, ...(end < 0 ? last : last.slice(0, end)).reverse()]
}

/** Ids in angle brackets; without any, the value itself unless it has spaces. */
function messageIdsIn(value: string): string[] {
  const ids = Array.from(value.matchAll(/<([^<>\s]{1,998})>/g), ([, id]) => id!)
  if (ids.length > 0) return ids
  return /^[^<>\s]{1,998}$/.test(value) ? [value] : []
}

/** Prefixes of replies in the languages of common mail programs, with or without a number. */
const replyPrefixes = /^(?:(?:re|aw|antw|antwort|sv|vs|vá|ref|rif|r|res|odp|ynt|atb|回复|回覆|答复|答覆|返信)(?:\[\d{1,3}\])?\s{0,3}[:：]\s{0,3})+/iu

/** The subject of a reply: that of the mail, after one `Re:` in place of any of its own. */
export const replySubject = (subject: string): string => `Re: ${subject.trim().replace(replyPrefixes, '')}`.trim()
