import type { DomainChecked } from '@mayfly-mail/sdk'

export type RecordState = 'found' | 'notFound' | 'wrong' | 'unknown'

export interface RecordResult {
  state: RecordState
  /** The server's sentence about the record. */
  reason?: string
}

/** A sentence about one record goes up to that about the other one. */
const sentences = /The (TXT|MX) record of .+?\.(?= The (?:TXT|MX) record of |$)/g

/**
 * The result of a check for each record, by the sentences of its message: a record without a sentence was found when the message is only
 * about the other one.
 */
export function resultsOf({ status, message }: Pick<DomainChecked, 'status' | 'message'>): Record<'MX' | 'TXT', RecordResult> {
  if (status === 'verified') return { MX: { state: 'found' }, TXT: { state: 'found' } }
  const found = new Map([...message.matchAll(sentences)].map(([reason, type]) => [type, reason]))
  const rest = message.replaceAll(sentences, '').trim()
  const resultOf = (type: 'MX' | 'TXT'): RecordResult => {
    const reason = found.get(type)
    if (reason !== undefined) return { state: reason.endsWith('was not found.') ? 'notFound' : 'wrong', reason }
    return { state: found.size > 0 && rest === '' ? 'found' : 'unknown' }
  }
  return { MX: resultOf('MX'), TXT: resultOf('TXT') }
}
