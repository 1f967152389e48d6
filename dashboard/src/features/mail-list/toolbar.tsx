import { Text } from '@mantine/core'
import {
  IconArrowBackUp, IconBaselineDensityMedium, IconBaselineDensitySmall, IconBookmarkPlus, IconChecks, IconMail, IconMailOpened, IconStar,
  IconTrash, IconX,
} from '../../ui/icons.tsx'
import type { RefObject } from 'react'
import { useMayChange } from '../../api/account.ts'
import field from '../../ui/field.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { density, toggleDensity } from './density.ts'
import { FilterChips } from './filter-chips.tsx'
import type { Show } from './mail-search.ts'
import { mailListTexts as texts } from './texts.ts'
import classes from './toolbar.module.css'

interface ToolbarProps {
  searchBox: RefObject<HTMLInputElement | null>
  search: string
  onSearch(search: string): void
  show: Show
  onShow(show: Show): void
  selectedCount: number
  isAllSelected: boolean
  onSelectAll(): void
  onClear(): void
  onStar(): void
  onRead(isRead: boolean): void
  onDelete(): void
  onRestore(): void
  onMarkAllRead(): void
  /** Undefined while there is no search. */
  onSave: (() => void) | undefined
}

/** Search and filter; in their place actions for the selected mails, while there are any. */
export function Toolbar(props: ToolbarProps) {
  return (
    <div className={classes['toolbar']}>
      <label className={classes['all']} title={texts.selectAll}>
        <input
          type="checkbox" aria-label={texts.selectAll} checked={props.isAllSelected}
          ref={(box) => { if (box) box.indeterminate = props.selectedCount > 0 && !props.isAllSelected }}
          onChange={() => props.selectedCount > 0 ? props.onClear() : props.onSelectAll()}
        />
      </label>
      {props.selectedCount > 0 ? <SelectionActions {...props} /> : <SearchAndFilter {...props} />}
    </div>
  )
}

function SearchAndFilter({ searchBox, search, onSearch, show, onShow, onSave, onMarkAllRead }: ToolbarProps) {
  const mayChange = useMayChange()
  return (
    <>
      <input
        ref={searchBox} className={`${field['field']} ${field['box']} ${classes['field']}`} type="text" inputMode="search" enterKeyHint="search" maxLength={200}
        aria-label={texts.search} placeholder={texts.search} value={search} spellCheck={false} autoComplete="off"
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (search) onSearch('')
          else event.currentTarget.blur()
        }}
      />
      <FilterChips search={search} onSearch={onSearch} />
      <select
        className={`${field['field']} ${classes['field']}`} aria-label={texts.show} value={show}
        onChange={({ currentTarget }) => onShow(currentTarget.value as Show)}
      >
        {Object.entries(texts.filters).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
      </select>
      {onSave && <Action label={texts.saveSearch} Icon={IconBookmarkPlus} run={onSave} />}
      {mayChange && show !== 'deleted' && <Action label={texts.markAllRead} Icon={IconChecks} run={onMarkAllRead} />}
      <DensityButton />
    </>
  )
}

function DensityButton() {
  const isComfortable = density.use() === 'comfortable'
  return (
    <IconButton label={texts.comfortable} title={texts.comfortableHint} size={24} aria-pressed={isComfortable} onClick={toggleDensity}>
      {isComfortable ? <IconBaselineDensitySmall size={16} aria-hidden /> : <IconBaselineDensityMedium size={16} aria-hidden />}
    </IconButton>
  )
}

function SelectionActions({ selectedCount, show, onStar, onRead, onDelete, onRestore, onClear }: ToolbarProps) {
  const mayChange = useMayChange()
  const changes = [
    { label: texts.actions.star, Icon: IconStar, run: onStar },
    { label: texts.actions.read, Icon: IconMailOpened, run: () => onRead(true) },
    { label: texts.actions.unread, Icon: IconMail, run: () => onRead(false) },
    show === 'deleted'
      ? { label: texts.actions.restore, Icon: IconArrowBackUp, run: onRestore }
      : { label: texts.actions.delete, Icon: IconTrash, run: onDelete },
  ]
  const actions = [...mayChange ? changes : [], { label: texts.actions.clear, Icon: IconX, run: onClear }]
  return (
    <>
      <Text size="sm" flex={1} role="status" className={classes['count']}>{texts.selected(selectedCount)}</Text>
      {actions.map((action) => <Action key={action.label} {...action} />)}
    </>
  )
}

const Action = ({ label, Icon, run }: { label: string, Icon: typeof IconMail, run: () => void }) => (
  <IconButton label={label} size={24} onClick={run}><Icon size={16} aria-hidden /></IconButton>
)
