import type { Address } from '@mayfly-mail/sdk'
import { Button, Group, Text } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconInbox, IconListCheck, IconPlus } from '../../ui/icons.tsx'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useMayChange } from '../../api/account.ts'
import field from '../../ui/field.module.css'
import hidden from '../../ui/hidden.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { savedSearches } from '../mail-list/saved-searches.ts'
import { useSelection } from '../mail-list/use-selection.ts'
import { addressMarks, sortAddresses } from './address-marks.ts'
import { AddressRows } from './address-rows.tsx'
import classes from './addresses-pane.module.css'
import { addressTexts as texts } from './texts.ts'
import { useAddresses } from './use-addresses.ts'
import type { AddressState } from './use-addresses.ts'

const SavedSearchesList = lazyPart(async () => (await import('./saved-searches-list.tsx')).SavedSearchesList, null)
const AddressSelection = lazyPart(async () => (await import('./address-selection.tsx')).AddressSelection, <div className={classes['filters']} />)
const AddressForm = lazyPart(async () => (await import('./address-form.tsx')).AddressForm)

interface AddressesPaneProps {
  /** Undefined while all addresses are shown. */
  currentId: string | undefined
  isCreating: boolean
  /** Creates a random address. */
  onNew(): void
}

/** Addresses that the filter looks through: the API has no search for them. */
const maxFiltered = 2_000

/** Addresses that are sorted by their last mail before the list is scrolled. */
const minSorted = 300

/** The list of addresses, and the ways to create one. */
export function AddressesPane({ currentId, isCreating, onNew }: AddressesPaneProps) {
  const [state, setState] = useState<AddressState>('all')
  const [filter, setFilter] = useState('')
  const [isFormOpen, setFormOpen] = useState(false)
  const [isSelecting, setSelecting] = useState(false)
  const [shownIndex, setShownIndex] = useState(0)
  const list = useAddresses(state)
  const mayChange = useMayChange()
  const words = filter.trim().toLowerCase()
  const hasSearches = savedSearches.use().length > 0
  const marks = addressMarks.use()
  const rows = useMemo(() => {
    const isFound = ({ id, address }: Address) => address.includes(words) || marks[id]?.note?.toLowerCase().includes(words)
    return sortAddresses(words ? list.rows.filter(isFound) : list.rows, marks)
  }, [list.rows, words, marks])

  const selection = useSelection(rows)
  const endSelecting = () => {
    selection.clear()
    setSelecting(false)
  }

  const { recordShown } = list
  const loaded = list.rows.length
  const wantsOlder = loaded < (words ? maxFiltered : minSorted) || (!words && shownIndex >= loaded - 20)
  useEffect(() => recordShown(words ? loaded : shownIndex), [words, loaded, shownIndex, recordShown])
  useEffect(() => {
    if (wantsOlder && list.canLoadOlder && !list.isLoadingOlder && !list.olderError) list.loadOlder()
  })

  const all = (
    <>
    <Link
      className={classes['all']} to="/mail/$addressId" params={{ addressId: 'all' }} preload={false} data-stop
      aria-current={currentId === undefined ? 'page' : undefined}
    >
      <IconInbox size={18} stroke={1.6} aria-hidden />{texts.all}
    </Link>
    {hasSearches && <SavedSearchesList />}
    </>
  )
  return (
    <>
      <h2 className={hidden['hidden']}>{texts.title}</h2>
      {mayChange && (
        <Group className={classes['header']} wrap="nowrap" gap="xs">
          <Button flex={1} size="sm" leftSection={<IconPlus size={16} aria-hidden />} loading={isCreating} onClick={onNew} title={texts.newHint}>
            {texts.newAddress}
          </Button>
          <IconButton label={texts.withOptions} size={36} data-bordered onClick={() => setFormOpen(true)}>
            <IconAdjustmentsHorizontal size={18} aria-hidden />
          </IconButton>
        </Group>
      )}
      {isSelecting && (
        <AddressSelection
          selected={selection.selected} isAllSelected={rows.length > 0 && selection.selected.size === rows.length} currentId={currentId}
          onSelectAll={selection.selectLoaded} onClear={selection.clear} onEnd={endSelecting}
        />
      )}
      <div className={classes['filters']} hidden={isSelecting}>
        <input
          className={`${field['field']} ${field['box']}`} type="text" aria-label={texts.find} placeholder={texts.filter} value={filter}
          maxLength={200} spellCheck={false} autoComplete="off" onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => { if (key === 'Escape') { setFilter(''); currentTarget.blur() } }}
        />
        <select
          className={field['field']} aria-label={texts.state} value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value as AddressState)}
        >
          {Object.entries(texts.states).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
        </select>
        {(list.isLoading || loaded > 0) && ( // so that the filter keeps its place
          <IconButton label={texts.selecting.begin} onClick={() => setSelecting(true)}><IconListCheck size={16} aria-hidden /></IconButton>
        )}
      </div>
      {list.isLoading
        ? <>{all}<LoadingRows height={46} /></>
        : list.error && loaded === 0
          ? <>{all}<ErrorState error={list.error} retry={list.retry} /></>
          : loaded === 0 && state === 'all'
            ? <>{all}<EmptyState title={texts.empty.title}>{mayChange ? texts.empty.hint : texts.empty.viewerHint}</EmptyState></>
            : (
                <AddressRows
                  rows={rows} currentId={currentId} onShown={setShownIndex} first={all}
                  selected={isSelecting ? selection.selected : undefined} onSelect={selection.toggle}
                >
                  {rows.length === 0 && !list.isLoadingOlder && <Text size="sm" p="md" c="dimmed">{texts.noneFound}</Text>}
                  {list.olderError && <ErrorState error={list.olderError} retry={list.loadOlder} />}
                </AddressRows>
              )}
      {isFormOpen && <AddressForm onClose={() => setFormOpen(false)} />}
    </>
  )
}
