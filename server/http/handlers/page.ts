import type { Page } from '../../store/page.ts'

/** The part of a list that a query selects; values out of range were refused before. */
export const pageOf = ({ limit, offset = 0, before }: Partial<Page>, defaultLimit: number): Page =>
  ({ limit: limit ?? defaultLimit, offset, before })

/** The part of a page's parameters that the response repeats. */
export const shownPage = ({ limit, offset }: Page): Pick<Page, 'limit' | 'offset'> => ({ limit, offset })
