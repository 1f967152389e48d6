import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { Domain } from '@mayfly-mail/sdk'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { RecordCards, RecordTable } from './record-table.tsx'
import { domainTexts as texts } from './texts.ts'
import { useCheck } from './use-check.ts'

/** The records to set for a domain, and which of them the last check has found. */
export function DnsRecords({ domain }: { domain: Domain }) {
  const check = useCheck(domain.id, domain.status)
  if (check.isPending) return <Stack gap="xs" role="status" aria-label={texts.checking}><Skeleton height={20} w="60%" /><Skeleton height={118} /></Stack>
  if (!check.data) return <ErrorState error={check.error} retry={check.checkNow} />
  const { status } = check.data
  return (
    <Stack gap="sm">
      {status !== 'verified' && <Text size="sm">{texts.recordsHint}</Text>}
      <Box visibleFrom="sm"><RecordTable checked={check.data} /></Box>
      <Box hiddenFrom="sm"><RecordCards checked={check.data} /></Box>
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
