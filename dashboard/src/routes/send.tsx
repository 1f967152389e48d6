import { Alert, Button, Skeleton, Stack, Title } from '@mantine/core'
import { IconSend } from '../ui/icons.tsx'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccount } from '../api/account.ts'
import { useMode } from '../api/mode.ts'
import { useAddressSearch } from '../features/addresses/use-address-search.ts'
import { useEmail } from '../features/mail-reader/use-email.ts'
import { LastMail } from '../features/send/last-mail.tsx'
import { SendForm } from '../features/send/send-form.tsx'
import { SentList } from '../features/send/sent-list.tsx'
import { sendTexts as texts } from '../features/send/texts.ts'
import { Page } from '../ui/page.tsx'
import { ForMembers } from '../ui/for-members.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

export function Send() {
  const { server } = useAccount()
  const mode = useMode()
  const [lastId, setLastId] = useState<string>()
  const { reply } = useSearch({ from: '/signed-in/send' })
  return (
    <Page title={texts.title} description={texts.description}>
      <Stack maw={640} gap="sm">
        {mode === 'test' && <Alert role="note" color="gray" py="xs">{texts.capturedTest}</Alert>}
        {mode === 'live' && server.outbound === 'capture' && <Alert role="note" color="gray" py="xs">{texts.captured}</Alert>}
        <ForMembers>{reply ? <ReplyForm key={reply} id={reply} onSent={setLastId} /> : <FormOrHint onSent={setLastId} />}</ForMembers>
        {lastId && <LastMail key={lastId} id={lastId} />}
      </Stack>
      <Title order={2} mt="xl" mb="sm">{texts.recent}</Title>
      <SentList />
    </Page>
  )
}

/** The form of an answer to a mail. */
function ReplyForm({ id, onSent }: { id: string, onSent: (id: string) => void }) {
  const { data, error, refetch } = useEmail(id)
  if (data) return <SendForm onSent={onSent} parent={data} />
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Skeleton height={380} />
}

/** The form, which needs an address to send from. */
function FormOrHint({ onSent }: { onSent: (id: string) => void }) {
  const addresses = useAddressSearch('', 1)
  if (addresses.isPending) return <Skeleton height={380} />
  if (!addresses.data) return <ErrorState error={addresses.error} retry={() => void addresses.refetch()} />
  if (addresses.searched.length > 0) return <SendForm onSent={onSent} />
  return (
    <EmptyState
      icon={<IconSend size={32} stroke={1.4} aria-hidden />} title={texts.noAddress}
      action={<Button component={Link} to="/mail" size="sm">{texts.toMail}</Button>}
    >
      {texts.noAddressHint}
    </EmptyState>
  )
}
