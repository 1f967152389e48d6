import { Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Address } from '@mayfly-mail/sdk'
import { IconSearch } from '../../ui/icons.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { number } from '../../language.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { maxSearched, useAddressSearch } from '../addresses/use-address-search.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleRow } from './rule-row.tsx'
import { forwardingTexts } from './texts.ts'

const texts = forwardingTexts.rules
/** Rows at once: each loads its rule with a request of its own. */
const rowsAtOnce = 20
const columns = [
  { title: texts.columns.address, minWidth: 340 },
  { title: texts.columns.target, isWide: true, minWidth: 200 }, { title: texts.columns.filters, isWide: true },
  { title: texts.columns.state }, { title: texts.columns.actions, isHidden: true },
]

/** The rules of the addresses that a search finds. */
export function RuleList() {
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text, 200)
  const [shown, setShown] = useState(rowsAtOnce)
  const [edited, setEdited] = useState<Address>()
  const search = useAddressSearch(wanted, shown + 1)
  if (search.isPending) return <LoadingRows count={3} />
  if (!search.data) return <ErrorState error={search.error} retry={() => void search.refetch()} />
  if (search.searched.length === 0) {
    return (
      <EmptyState title={texts.noAddress} action={<Button component={Link} to="/mail" variant="default" size="sm">{texts.toMail}</Button>}>
        {texts.noAddressHint}
      </EmptyState>
    )
  }
  return (
    <>
      <TextInput
        type="search" mb="sm" maw={360} aria-label={texts.search} placeholder={texts.search} leftSection={<IconSearch size={16} aria-hidden />}
        value={text} onChange={({ currentTarget }) => { setText(currentTarget.value); setShown(rowsAtOnce) }}
      />
      {search.matches.length > 0 && (
        <DataTable label={texts.title} columns={columns}>
          {search.matches.slice(0, shown).map((address) => (
            <RuleRow key={address.id} address={address} onEdit={() => setEdited(address)} />
          ))}
        </DataTable>
      )}
      {search.matches.length === 0 && search.isSearching && <LoadingRows count={1} />}
      {search.matches.length === 0 && !search.isSearching && <EmptyState title={texts.noMatch}>{texts.noMatchHint}</EmptyState>}
      <MoreRows
        hasNextPage={search.matches.length > shown} isFetchingNextPage={false} isFetchNextPageError={false}
        fetchNextPage={() => setShown((count) => count + rowsAtOnce)}
      />
      {search.isCutOff && <Text size="xs" c="dimmed" mt="xs">{texts.cutOff(number(maxSearched))}</Text>}
      {edited && <RuleDialog address={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
