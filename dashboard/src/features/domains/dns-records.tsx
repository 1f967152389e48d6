import { Box, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { Domain, DomainChecked } from '@mayfly-mail/sdk'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/status-badge.tsx'
import { resultsOf } from './check-result.ts'
import type { RecordResult, RecordState } from './check-result.ts'
import { domainTexts as texts } from './texts.ts'
import { useCheck } from './use-check.ts'

const tones: Record<RecordState, Tone> = { found: 'good', notFound: 'waiting', wrong: 'bad', unknown: 'neutral' }

/** The records to set for a domain, and which of them the last check has found. */
export function DnsRecords({ domain }: { domain: Domain }) {
  const check = useCheck(domain.id, domain.status)
  if (check.isPending) return <Stack gap="xs" role="status" aria-label={texts.checking}><Skeleton height={20} w="60%" /><Skeleton height={118} /></Stack>
  if (!check.data) return <ErrorState error={check.error} retry={check.checkNow} />
  const { status } = check.data
  return (
    <Stack gap="sm">
      {status !== 'verified' && <Text size="sm">{texts.recordsHint}</Text>}
      <RecordTable checked={check.data} />
      {status !== 'verified' && (
        <Box aria-live="polite">
          <Text size="sm">{check.data.message}</Text>
          <Group gap="xs" mt={4}>
            <Text size="xs" c="dimmed">
              {check.hasEnded ? texts.checkEnded : texts.checkedRepeatedly} <RelativeTime at={new Date(check.dataUpdatedAt)} />
            </Text>
            <Button size="compact-xs" variant="default" loading={check.isFetching} onClick={check.checkNow}>{texts.checkNow}</Button>
          </Group>
        </Box>
      )}
      {check.isError && <ErrorState error={check.error} retry={check.checkNow} />}
    </Stack>
  )
}

/** On a phone, host and priority stand above and below the value. */
function RecordTable({ checked }: { checked: DomainChecked }) {
  const { mx, txt } = checked.dnsRecords
  const results = resultsOf(checked)
  const { columns } = texts
  return (
    <DataTable
      label={texts.showRecords(checked.domain)}
      columns={[
        { title: columns.type }, { title: columns.host, isWide: true }, { title: columns.value }, { title: columns.priority, isWide: true, minWidth: 90 },
        { title: columns.state },
      ]}
    >
      {[mx, txt].map((record) => (
        <Table.Tr key={record.type}>
          <Table.Td ff="monospace">{record.type}</Table.Td>
          <Table.Td visibleFrom="sm"><Copied what={columns.host} type={record.type} value={record.host} /></Table.Td>
          <Table.Td>
            <Box hiddenFrom="sm"><Copied what={columns.host} type={record.type} value={record.host} /></Box>
            <Copied what={columns.value} type={record.type} value={record.value} />
            {'priority' in record && (
              <Box hiddenFrom="sm"><Copied what={columns.priority} type={record.type} value={String(record.priority)} /></Box>
            )}
          </Table.Td>
          <Table.Td visibleFrom="sm">
            {'priority' in record && <Copied what={columns.priority} type={record.type} value={String(record.priority)} />}
          </Table.Td>
          <Table.Td><State {...results[record.type]} /></Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}

const State = ({ state, reason }: RecordResult) => <span title={reason}><StatusBadge tone={tones[state]}>{texts[state]}</StatusBadge></span>

const Copied = ({ what, type, value }: { what: string, type: string, value: string }) => (
  <Group gap={4} wrap="nowrap">
    <Text ff="monospace" size="sm" component="span">{value}</Text>
    <CopyButton value={value} label={texts.copy(what, type)} />
  </Group>
)
