import type { EmailUpdate } from '@mayfly-mail/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button, Stack, Title } from '@mantine/core'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { texts } from '../../texts.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'

/** One mail. */
export function MailReader({ emailId, onClose }: {
  emailId: string
  onClose: () => void
  actions?: { update: (marks: EmailUpdate) => void, remove: () => void }
}) {
  const { data, error, refetch } = useQuery({ queryKey: keys.email(emailId), queryFn: ({ signal }) => mayfly.emails.get(emailId, { signal }) })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows />
  return (
    <Stack p="md" align="start">
      <Button variant="default" size="compact-sm" onClick={onClose}>{texts.close}</Button>
      <Title order={2}>{data.subject}</Title>
    </Stack>
  )
}
