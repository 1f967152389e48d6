import { storedValue } from '../../ui/stored-value.ts'
import type { MailSearch } from './mail-search.ts'
import { mailListTexts as texts } from './texts.ts'

/** Searches that the user keeps, in this browser: the API has no place for them. */
export const savedSearches = storedValue<MailSearch[]>('mayfly-searches', [], Array.isArray)

export const nameOfSearch = ({ q, show }: MailSearch): string => [q, show && texts.filters[show]].filter(Boolean).join(' · ')

const isSame = (first: MailSearch, second: MailSearch) => nameOfSearch(first) === nameOfSearch(second)

export const saveSearch = (search: MailSearch) =>
  savedSearches.write([...savedSearches.read().filter((each) => !isSame(each, search)), search])

export const removeSearch = (search: MailSearch) => savedSearches.write(savedSearches.read().filter((each) => !isSame(each, search)))
