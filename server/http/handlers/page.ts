import type { Page } from '../../store/page.ts'

/** Which part of a list a query asks for; the document has refused what is out of range. */
export const pageOf = ({ limit, offset = 0, before }: Partial<Page>, defaultLimit: number): Page =>
  ({ limit: limit ?? defaultLimit, offset, before })

/** The part of a page's parameters that the response repeats. */
export const shownPage = ({ limit, offset }: Page): Pick<Page, 'limit' | 'offset'> => ({ limit, offset })
