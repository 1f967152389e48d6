import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import classes from './send.module.css'
import { MailState, pollDelayMs } from './mail-state.tsx'
import { sendTexts as texts } from './texts.ts'

/** Mails of the list; older ones stand on the page Mail. */
const limit = 20
const columns = [{ title: texts.columns.subject }, { title: texts.columns.state }, { title: texts.columns.time, align: 'end' as const }]

export function SentList() {
  const list = useQuery({
    queryKey: keys.emails('sent', limit),
    queryFn: ({ signal }) => mayfly.emails.list({ type: 'sent', limit }, { signal }),
    refetchInterval: ({ state }) => pollDelayMs(state.data?.data.map(({ status }) => status) ?? []),
  })
  if (list.isPending) return <LoadingRows count={3} />
  if (!list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  if (list.data.data.length === 0) return <EmptyState title={texts.empty}>{texts.emptyHint}</EmptyState>
  return (
    <DataTable label={texts.recent} columns={columns}>
      {list.data.data.map(({ id, addressId, to, subject, status, receivedAt }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Link to="/mail/$addressId/$emailId" params={{ addressId, emailId: id }} className={classes['subject']}>
              <bdi>{subject || texts.noSubject}</bdi>
            </Link>
            <Text size="xs" c="dimmed"><bdi>{texts.recipient(to)}</bdi></Text>
          </Table.Td>
          <Table.Td>{status && <MailState status={status} />}</Table.Td>
          <Table.Td ta="end"><Text size="sm" c="dimmed"><RelativeTime at={receivedAt} /></Text></Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}
