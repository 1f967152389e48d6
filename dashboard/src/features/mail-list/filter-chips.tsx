import classes from './filter-chips.module.css'
import { filterWords, hasFilterWord, toggleFilterWord } from './mail-search.ts'
import { mailListTexts as texts } from './texts.ts'

/**
 * Filters of the search, several at once: the text of the search box has their operators. They are over the list while the box has the
 * focus, and above it while it has a text.
 */
export const FilterChips = ({ search, onSearch }: { search: string, onSearch: (search: string) => void }) => (
  <div className={classes['chips']} role="group" aria-label={texts.only} data-active={search !== '' || undefined}>
    {filterWords.map((word) => (
      <button
        key={word} type="button" className={classes['chip']} title={word} aria-pressed={hasFilterWord(search, word)}
        onMouseDown={(event) => event.preventDefault()} // the box keeps the focus
        onClick={() => onSearch(toggleFilterWord(search, word))}
      >
        {texts.filterWords[word]}
      </button>
    ))}
  </div>
)
