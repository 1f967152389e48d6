import { Group, Paper, Stack, Table, Text } from '@mantine/core'
import type { DomainChecked } from '@mayfly-mail/sdk'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/status-badge.tsx'
import { resultsOf } from './check-result.ts'
import type { RecordResult, RecordState } from './check-result.ts'
import { domainTexts as texts } from './texts.ts'

const tones: Record<RecordState, Tone> = { found: 'good', notFound: 'waiting', wrong: 'bad', unknown: 'neutral' }
const { columns: titles } = texts
const columns = [
  { title: titles.type }, { title: titles.host }, { title: titles.value }, { title: titles.priority, minWidth: 90 },
  { title: titles.state },
]

export function RecordTable({ checked }: { checked: DomainChecked }) {
  const results = resultsOf(checked)
  return (
    <DataTable label={texts.showRecords(checked.domain)} columns={columns}>
      {recordsOf(checked).map(({ type, host, value, priority }) => (
        <Table.Tr key={type}>
          <Table.Td ff="monospace">{type}</Table.Td>
          <Table.Td><Copied what={titles.host} type={type} value={host} /></Table.Td>
          <Table.Td><Copied what={titles.value} type={type} value={value} /></Table.Td>
          <Table.Td>{priority && <Copied what={titles.priority} type={type} value={priority} />}</Table.Td>
          <Table.Td><State {...results[type]} /></Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}

/** The records below each other, for phones. */
export function RecordCards({ checked }: { checked: DomainChecked }) {
  const results = resultsOf(checked)
  return (
    <Stack gap="xs">
      {recordsOf(checked).map(({ type, host, value, priority }) => (
        <Paper key={type} withBorder p="sm">
          <Group justify="space-between"><Text ff="monospace" fw={600} size="sm">{type}</Text><State {...results[type]} /></Group>
          {([[titles.host, host], [titles.value, value], [titles.priority, priority]] as const).map(([what, text]) => text && (
            <div key={what}>
              <Text size="xs" c="dimmed" mt="xs">{what}</Text>
              <Copied what={what} type={type} value={text} />
            </div>
          ))}
        </Paper>
      ))}
    </Stack>
  )
}

const recordsOf = ({ dnsRecords: { mx, txt } }: DomainChecked) => [
  { ...mx, priority: String(mx.priority) }, { ...txt, priority: undefined },
]

const State = ({ state, reason }: RecordResult) => <span title={reason}><StatusBadge tone={tones[state]}>{texts[state]}</StatusBadge></span>

const Copied = ({ what, type, value }: { what: string, type: string, value: string }) => (
  <Group gap={4} wrap="nowrap" justify="space-between">
    <Text ff="monospace" size="sm" component="span">{value}</Text>
    <CopyButton value={value} label={texts.copy(what, type)} />
  </Group>
)
