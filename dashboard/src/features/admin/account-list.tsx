import { Button, Group, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconPlus, IconSearch } from '../../ui/icons.tsx'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import type { ManagedAccount } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { accountsList } from '../../api/own-operations.ts'
import { itemsOf, pageSize, pagesOf } from '../../api/pages.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { AccountRow } from './account-row.tsx'
import { AddAccount } from './add-account.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { adminTexts } from './texts.ts'

const texts = adminTexts.accounts
const columns = [
  { title: texts.columns.email, minWidth: 240 }, { title: texts.columns.plan }, { title: texts.columns.addresses, isWide: true, align: 'end' as const },
  { title: texts.columns.stored, isWide: true, align: 'end' as const }, { title: texts.columns.created, isWide: true },
  { title: texts.columns.actions, isHidden: true },
]

export function AccountList() {
  const own = useAccount()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 300)
  const [isAdding, adding] = useDisclosure()
  const [deleted, setDeleted] = useState<ManagedAccount>()
  const list = useInfiniteQuery({
    ...pagesOf<ManagedAccount>(keys.admin('accounts', search), async (before) => {
      const query = { limit: pageSize, ...search && { search }, ...before && { before } }
      const { data: { data, hasMore } } = await accountsList({ query })
      return { items: data, hasMore }
    }),
    placeholderData: keepPreviousData,
  })
  const accounts = itemsOf(list.data)
  return (
    <>
      <Group justify="space-between" mb="sm" gap="sm">
        <TextInput
          type="search" flex="1 1 200px" maw={360} aria-label={texts.search} placeholder={texts.search} leftSection={<IconSearch size={16} aria-hidden />}
          value={text} onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>{texts.add}</Button>
      </Group>
      {list.isPending && <LoadingRows />}
      {list.isError && !list.data && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && accounts.length === 0 && <EmptyState title={texts.empty}>{texts.emptyHint}</EmptyState>}
      {accounts.length > 0 && (
        <DataTable label={adminTexts.tabs.accounts} columns={columns}>
          {accounts.map((each) => <AccountRow key={each.id} account={each} isOwn={each.id === own.id} onDelete={() => setDeleted(each)} />)}
        </DataTable>
      )}
      <MoreRows {...list} />
      {isAdding && <AddAccount onClose={adding.close} />}
      {deleted && <DeleteAccount account={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  )
}
