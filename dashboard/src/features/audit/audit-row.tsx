import { Group, Table, Text } from '@mantine/core'
import type { AuditLog } from '@mayfly-mail/sdk'
import { memo } from 'react'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './audit.module.css'
import { auditTexts as texts } from './texts.ts'

interface AuditRowProps {
  record: AuditLog
  /** The name of its key, while it is there. */
  keyName: string | undefined
}

/** A call. Below the width of a tablet, the cells that have no room stand below the action. */
export const AuditRow = memo(function AuditRow({ record, keyName }: AuditRowProps) {
  const { action, method, path, status, resourceId, ipAddress, createdAt, count } = record
  const caller = <bdi>{callerOf(record, keyName)}</bdi>
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" fw={500} title={`${method} ${path}`.trim()}>{action}</Text>
          {count > 1 && <Text size="sm" c="dimmed" title={texts.timesHint(count)} className={classes['count']}>{texts.timesOf(count)}</Text>}
        </Group>
        <Text size="xs" c="dimmed" hiddenFrom="sm">{caller} · {ipAddress}</Text>
        {resourceId && <Text size="xs" c="dimmed" ff="monospace" hiddenFrom="sm">{resourceId}</Text>}
      </Table.Td>
      <Table.Td><StatusBadge tone={status < 400 ? 'good' : status < 500 ? 'waiting' : 'bad'}>{String(status)}</StatusBadge></Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm">{caller}</Text></Table.Td>
      <Table.Td visibleFrom="sm"><Text size="xs" ff="monospace" c="dimmed" className={classes['id']} title={resourceId ?? undefined}>{resourceId}</Text></Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm" c="dimmed">{ipAddress}</Text></Table.Td>
      <Table.Td ta="end"><Text size="sm" c="dimmed" className={classes['time']}><RelativeTime at={createdAt} /></Text></Table.Td>
    </Table.Tr>
  )
})

function callerOf({ apiKeyId, sessionId, member, method }: AuditLog, keyName: string | undefined): string {
  if (sessionId !== null) return member ?? texts.session
  if (apiKeyId !== null) return keyName ?? texts.deletedKey
  return method === '' ? texts.server : texts.withoutKey
}
