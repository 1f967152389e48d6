import type { Email, EmailSummary } from '../../server/contract/types.gen.ts'
import { parseSearch } from '../../server/store/search/search-query.ts'
import { conditionsOf, isCheckedPhrase } from '../../server/store/search/search.ts'
import { addTextTerms, partTerms, textsIn } from '../../server/store/search/searched-mail.ts'
import { hasPhrase } from '../../server/store/search/words.ts'
import type { MockRequest } from './mock-request.ts'
import { exampleNow } from './shift-times.ts'

/** Whether an email of the examples meets the filters of a list. @param whole its detail; undefined where no example has it */
export function isFound(email: EmailSummary, { type, q, thread_id }: MockRequest<'emails.list'>['query'], whole: Email | undefined, nowMs: number): boolean {
  if (type !== undefined && email.type !== type) return false
  if (thread_id !== undefined && whole?.threadId !== thread_id) return false
  if (q === undefined) return true
  const query = parseSearch(q)
  const conditions = conditionsOf(query)
  if (!conditions) return false
  const { isRead, isStarred, from = -Infinity, until = Infinity, largerThan = -1 } = query
  const searched = { ...email, recipients: whole?.recipients ?? [email.to], text: whole?.bodyText ?? email.bodyText }
  const terms = new Set(partTerms([
    ...email.codes.length > 0 ? [{ part: 'code' } as const] : [], ...email.hasAttachments ? [{ part: 'attachment' } as const] : [],
    ...whole && whole.links.length > 0 ? [{ part: 'link' } as const] : [],
  ]))
  addTextTerms(terms, searched)
  const hasAll = (some: string[]) => some.every((term) => terms.has(term))
  const receivedAt = Date.parse(email.receivedAt) + nowMs - Date.parse(exampleNow)
  return hasAll(conditions.terms) && !conditions.excluded.some(hasAll)
    && [undefined, email.isRead].includes(isRead) && [undefined, email.isStarred].includes(isStarred)
    && receivedAt >= from && receivedAt < until && (whole?.size ?? 0) > largerThan
    && query.texts.filter(isCheckedPhrase).every(({ field, text, isExcluded }) =>
      textsIn(searched, field).some((each) => hasPhrase(each, text)) !== isExcluded)
}
