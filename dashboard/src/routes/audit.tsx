import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { AuditLog as AuditRecord } from '@mayfly-mail/sdk'
import { IconRefresh } from '../ui/icons.tsx'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../api/keys.ts'
import { itemsOf, pageSize, pagesOf, reloadPages } from '../api/pages.ts'
import { mayfly } from '../api/session.ts'
import { AuditFilters } from '../features/audit/audit-filters.tsx'
import { AuditRow } from '../features/audit/audit-row.tsx'
import { firstFilter, toQuery } from '../features/audit/filter.ts'
import { auditTexts as texts } from '../features/audit/texts.ts'
import { useKeyNames } from '../features/audit/use-key-names.ts'
import { texts as common } from '../texts.ts'
import { DataTable } from '../ui/data-table.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx'

/** Time after a key before an action is looked for. */
const typingMs = 250

const { columns: titles } = texts
const columns = [
  { title: titles.action, minWidth: 200 }, { title: titles.status },
  { title: titles.caller, isWide: true, minWidth: 100 }, { title: titles.resource, isWide: true },
  { title: titles.ip, isWide: true, minWidth: 110 }, { title: titles.time, align: 'end' as const },
]

/** The page reads the log when it is opened and on request: its own calls are in the log, so that it would never come to rest. */
export function AuditLog() {
  const [filter, setFilter] = useState(firstFilter)
  const [text] = useDebouncedValue(filter.text.trim(), typingMs)
  const wanted = { ...filter, text }
  const names = useKeyNames()
  const log = useInfiniteQuery({
    ...pagesOf<AuditRecord>(keys.auditLogs('list', wanted), async (before) => {
      const { data, hasMore } = await mayfly.auditLogs.list({ limit: pageSize, ...toQuery(wanted), ...before && { before } })
      return { items: data, hasMore }
    }),
    refetchOnWindowFocus: false,
  })
  const loaded = itemsOf(log.data)
  const empty = filter === firstFilter ? texts.empty : texts.noMatch
  const client = useQueryClient()
  const reload = (
    <Button
      size="sm" variant="default" leftSection={<IconRefresh size={16} aria-hidden />} loading={log.isRefetching}
      onClick={() => void reloadPages(client, keys.auditLogs('list', wanted))}
    >
      {common.reload}
    </Button>
  )
  return (
    <Page title={texts.title} description={texts.description} actions={reload}>
      <AuditFilters filter={filter} onChange={setFilter} />
      {log.isPending && <LoadingRows count={10} height={28} />}
      {log.isError && !log.data && <ErrorState error={log.error} retry={() => void log.refetch()} />}
      {log.data && loaded.length === 0 && <EmptyState title={empty.title}>{empty.text}</EmptyState>}
      {loaded.length > 0 && (
        <DataTable label={texts.title} columns={columns}>
          {loaded.map((record) => <AuditRow key={record.id} record={record} keyName={names.get(record.apiKeyId ?? '')} />)}
        </DataTable>
      )}
      <MoreRows {...log} />
    </Page>
  )
}
