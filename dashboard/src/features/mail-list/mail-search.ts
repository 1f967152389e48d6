const shows = ['all', 'unread', 'starred', 'received', 'sent', 'deleted'] as const

export type Show = typeof shows[number]

/** The search and the filter of the list, in the query of the page's URL. Their defaults are left out. */
export interface MailSearch {
  q?: string | undefined
  show?: Show | undefined
}

/** The operators of the search that have a button of their own. */
export const filterWords = ['is:unread', 'is:starred', 'has:code', 'has:link', 'has:attachment'] as const

export type FilterWord = typeof filterWords[number]

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

export const hasFilterWord = (text: string, word: FilterWord): boolean => wordsOf(text).includes(word)

/** Adds an operator to the text of a search, or takes it away. */
export const toggleFilterWord = (text: string, word: FilterWord): string =>
  (hasFilterWord(text, word) ? wordsOf(text).filter((each) => each !== word) : [...wordsOf(text), word]).join(' ')

export const readMailSearch = ({ q, show }: Record<string, unknown>): MailSearch => ({
  q: typeof q === 'string' && q !== '' ? q : undefined,
  show: shows.find((each) => each === show && each !== 'all'),
})
