import { IconSearch, IconX } from '../../ui/icons.tsx'
import { Link, useSearch } from '@tanstack/react-router'
import type { MailSearch } from '../mail-list/mail-search.ts'
import { nameOfSearch, removeSearch, savedSearches } from '../mail-list/saved-searches.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './addresses-pane.module.css'
import { addressTexts as texts } from './texts.ts'

/** Links to the searches that the user keeps. */
export function SavedSearchesList() {
  const searches = savedSearches.use()
  const shown: MailSearch = useSearch({ strict: false })
  const current = nameOfSearch(shown)
  return (
    <ul className={classes['searches']} aria-label={texts.searches} role="list">
      {searches.map((search) => {
        const name = nameOfSearch(search)
        return (
          <li key={name} className={classes['search']}>
            <Link
              className={classes['all']} to="/mail/$addressId" params={{ addressId: 'all' }} search={search} preload={false} data-stop
              aria-current={name === current ? 'page' : undefined}
            >
              <IconSearch size={18} stroke={1.6} aria-hidden /><bdi>{name}</bdi>
            </Link>
            <IconButton label={texts.removeSearch(name)} size={24} onClick={() => removeSearch(search)}>
              <IconX size={14} aria-hidden />
            </IconButton>
          </li>
        )
      })}
    </ul>
  )
}
