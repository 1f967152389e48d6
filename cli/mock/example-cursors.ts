import { cursorOf } from '../../server/domain/cursors.ts'
import type { ExampleResources } from './examples.ts'

// The mock numbers the examples of emails in the order of their ids. The cursor of a list in the document is after all of them.

/** The id that `after` stands for: '' before all emails, '~' after all. */
export function idAtCursor(after: string, { emails }: Pick<ExampleResources, 'emails'>): string {
  const number = numberOf(after)
  if (number === undefined) return after
  return number === 0 ? '' : idsInOrder(emails)[number - 1] ?? '~'
}

/** The cursor of an email of the examples. @returns undefined for other emails */
export function cursorOfExample(id: string, { emails }: Pick<ExampleResources, 'emails'>): string | undefined {
  const index = idsInOrder(emails).indexOf(id)
  return index < 0 ? undefined : cursorOf(index + 1)
}

/** The later of two cursors: that of an example, and the `after` of a request, which may also be an id. */
export const laterCursor = (shown: string, asked: string | undefined): string =>
  asked !== undefined && (numberOf(asked) ?? 0) > numberOf(shown)! ? asked : shown

const numberOf = (cursor: string): number | undefined => cursor.startsWith('c1-') ? Number(cursor.slice(3)) : undefined

const idsInOrder = (emails: ExampleResources['emails']) => [...emails.keys()].sort()
