import { Table, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CapturedEmailSummary } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { capturedEmailsList } from '../../api/own-operations.ts'
import { itemsOf, pageSize, pagesOf } from '../../api/pages.ts'
import { modeName } from '../../texts.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { CapturedMail } from './captured-mail.tsx'
import { adminTexts } from './texts.ts'

const texts = adminTexts.captured
/** No event tells of the mail of other accounts. */
const intervalMs = 10_000
const columns = [
  { title: texts.columns.subject, minWidth: 280 },
  { title: texts.columns.account, isWide: true, minWidth: 180 }, { title: texts.columns.mode, isWide: true },
  { title: texts.columns.sent, align: 'end' as const },
]

export function CapturedList() {
  const [openId, setOpenId] = useState<string>()
  const list = useInfiniteQuery({
    ...pagesOf<CapturedEmailSummary>(keys.admin('captured'), async (before) => {
      const { data: { data, hasMore } } = await capturedEmailsList({ query: { limit: pageSize, ...before && { before } } })
      return { items: data, hasMore }
    }),
    // with more pages, each round would take a request for each of them
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 0) > 1 ? false : intervalMs,
  })
  const mails = itemsOf(list.data)
  if (list.isPending) return <LoadingRows />
  if (!list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  if (mails.length === 0) return <EmptyState title={texts.empty}>{texts.emptyHint}</EmptyState>
  return (
    <>
      <DataTable label={adminTexts.tabs.captured} columns={columns}>
        {mails.map((mail) => <CapturedRow key={mail.id} mail={mail} onOpen={() => setOpenId(mail.id)} />)}
      </DataTable>
      <MoreRows {...list} />
      {openId && <CapturedMail id={openId} onClose={() => setOpenId(undefined)} />}
    </>
  )
}

function CapturedRow({ mail: { account, mode, from, to, subject, sentAt }, onOpen }: { mail: CapturedEmailSummary, onOpen: () => void }) {
  const title = subject || texts.noSubject
  return (
    <Table.Tr>
      <Table.Td>
        <UnstyledButton onClick={onOpen} aria-label={texts.open(title)} fz="sm" fw={500}><bdi>{title}</bdi></UnstyledButton>
        <Text size="xs" c="dimmed"><bdi>{texts.route(from, to)}</bdi></Text>
      </Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm"><bdi>{account}</bdi></Text></Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm" c="dimmed">{modeName(mode)}</Text></Table.Td>
      <Table.Td ta="end"><Text size="sm" c="dimmed"><RelativeTime at={sentAt} /></Text></Table.Td>
    </Table.Tr>
  )
}
