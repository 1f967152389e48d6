import { sql as raw } from 'kysely'
import { prepared } from '../../../changes/prepared.ts'
import type { Queries } from '../../../changes/queries.ts'
import { allTermsOf, selectSearched } from '../../../search/searched-mail.ts'

/** Mails of which the terms are read. A frequent term that they do not show is found in one of the next windows. */
const sampledMails = 64
/** Mails of the sample that must have a term. */
const minMails = 3
const goldenRatio = (1 + Math.sqrt(5)) / 2
/** Shorter words of scripts with spaces are left out: almost all mails have them. */
const minLength = 3
/** Mails that are read in one turn: 0.3 ms for a newsletter. */
const mailsAtOnce = 8

/** Terms that are probably frequent among mails, by a sample of these, the most frequent first. @param pause ends a turn */
export async function sampleTerms(db: Queries, numbers: number[], pause: () => Promise<void>): Promise<string[]> {
  // at irregular distances: every second mail may be like its second next
  const step = numbers.length / sampledMails
  const sample = Array.from({ length: sampledMails }, (_, i) => numbers[Math.floor((i + i * goldenRatio % 1) * step)]!)
  const { rows } = await selectEmailIds(db, { numbers: JSON.stringify(sample) })
  const counts = new Map<string, number>()
  for (const [i, { email_id: id }] of rows.entries()) {
    if (i % mailsAtOnce === 0) await pause()
    const { rows: [mail] } = await selectSearched(db, { id })
    if (!mail) continue
    for (const term of allTermsOf(mail)) if (term.length >= minLength || isUnspaced(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count >= minMails).sort(([, a], [, b]) => b - a).map(([term]) => term)
}

/** Characters from the first script without spaces on: U+0E00, Thai. */
const isUnspaced = (term: string) => term >= '\u0e00'

const selectEmailIds = prepared<{ numbers: string }, { email_id: string }>((sql, value) => sql.selectFrom('email_search_rows')
  .select('email_id').where('number', 'in', raw<number>`(select value from json_each(${value('numbers')}))`))
