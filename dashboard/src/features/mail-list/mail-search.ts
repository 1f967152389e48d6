const shows = ['all', 'unread', 'starred', 'received', 'sent', 'deleted'] as const

export type Show = typeof shows[number]

/** The search and the filter of the list, in the query of the page's URL. Their defaults are left out. */
export interface MailSearch {
  q?: string | undefined
  show?: Show | undefined
}

export const readMailSearch = ({ q, show }: Record<string, unknown>): MailSearch => ({
  q: typeof q === 'string' && q !== '' ? q : undefined,
  show: shows.find((each) => each === show && each !== 'all'),
})
