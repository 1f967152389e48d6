import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Session } from '../../api/generated/types.gen.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { describeBrowser } from './describe-browser.ts'
import { accountTexts } from './texts.ts'
import { useEndSession, useSessions, useSignOut, useSignOutEverywhere } from './use-sessions.ts'

const texts = accountTexts.sessions

export const Sessions = () => (
  <section>
    <Group justify="space-between" align="start" mb="sm">
      <div>
        <Title order={2}>{texts.title}</Title>
        <Text c="dimmed" size="sm" mt={4}>{texts.text}</Text>
      </div>
      <SignOutEverywhere />
    </Group>
    <SessionList />
  </section>
)

function SessionList() {
  const { data, error, refetch } = useSessions()
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows height={56} count={2} />
  return <Rows label={texts.title}>{data.map((session) => <SessionRow key={session.id} session={session} />)}</Rows>
}

function SessionRow({ session }: { session: Session }) {
  const { id, userAgent, ipAddress, isCurrent, lastUsedAt, createdAt } = session
  const nameId = `session-${id}`
  return (
    <Row actions={isCurrent ? <SignOutButton id={id} /> : <EndButton id={id} describedBy={nameId} />}>
      <Group gap="xs">
        <Text size="sm" fw={600} id={nameId} title={userAgent ?? undefined}>{describeBrowser(userAgent)}</Text>
        {isCurrent && <Badge size="sm" variant="light" tt="none">{texts.current}</Badge>}
      </Group>
      <Text size="xs" c="dimmed">
        {ipAddress} · {texts.lastUsed} <RelativeTime at={lastUsedAt} /> · {texts.began} <RelativeTime at={createdAt} />
      </Text>
    </Row>
  )
}

function EndButton({ id, describedBy }: { id: string, describedBy: string }) {
  const end = useEndSession()
  return <Button size="xs" variant="default" aria-describedby={describedBy} loading={end.isPending} onClick={() => end.mutate(id)}>{texts.end}</Button>
}

function SignOutButton({ id }: { id: string }) {
  const signOut = useSignOut()
  return <Button size="xs" variant="default" loading={signOut.isPending} onClick={() => signOut.mutate(id)}>{texts.signOut}</Button>
}

function SignOutEverywhere() {
  const [isOpen, setIsOpen] = useState(false)
  const signOut = useSignOutEverywhere()
  const { button, title, text } = accountTexts.everywhere
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>{button}</Button>
      {isOpen && (
        <Confirm
          title={title} confirm={button} isBusy={signOut.isPending} onClose={() => setIsOpen(false)}
          onConfirm={() => signOut.mutate(undefined, { onError: () => setIsOpen(false) })}
        >
          {text}
        </Confirm>
      )}
    </>
  )
}
