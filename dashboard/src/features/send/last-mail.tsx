import { Group, Paper, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { ErrorState } from '../../ui/states.tsx'
import { MailState, pollDelayMs } from './mail-state.tsx'
import { sendTexts as texts } from './texts.ts'

/** The mail that was sent last, with its state until that is final. */
export function LastMail({ id }: { id: string }) {
  const mail = useQuery({
    queryKey: keys.email(id),
    queryFn: ({ signal }) => mayfly.emails.get(id, { signal }),
    refetchInterval: ({ state }) => pollDelayMs([state.data ? state.data.status : 'queued']),
  })
  if (mail.isError && !mail.data) return <ErrorState error={mail.error} retry={() => void mail.refetch()} />
  return (
    <Paper withBorder p="sm" role="status">
      {!mail.data && <Skeleton height={44} />}
      {mail.data && (
        <>
          <Group justify="space-between">
            <Text size="sm" fw={500}><bdi>{texts.last(mail.data.to)}</bdi></Text>
            <MailState status={mail.data.status ?? 'queued'} />
          </Group>
          <Text size="sm" c="dimmed"><bdi>{mail.data.failureReason ?? texts.stateHints[mail.data.status ?? 'queued']}</bdi></Text>
        </>
      )}
    </Paper>
  )
}
