import type { Address } from '@mayfly-mail/sdk'
import { ActionIcon, Button, Group, Text, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { RelativeTime, TimeLeft, useNow } from '../../ui/relative-time.tsx'
import classes from './current-address.module.css'
import { addressTexts as texts } from './texts.ts'
import { isReceiving } from './use-addresses.ts'

const DeleteAddress = lazyPart(async () => (await import('./delete-address.tsx')).DeleteAddress)

/** The address whose mail is listed, in full, with the time that is left. */
export function CurrentAddress({ address }: { address: Address }) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Group gap="xs" wrap="nowrap" align="start" flex={1} miw={0}>
      <div className={classes['address']}>
        <Group gap={4} wrap="nowrap">
          <Title order={2} className={classes['name']}>{address.address}</Title>
          <CopyButton value={address.address} label={texts.copy} />
        </Group>
        <Text size="xs" c="dimmed" component="div" className={classes['facts']}><State address={address} /> · {texts.mails(address.emailCount)}</Text>
      </div>
      <Button
        component={Link} to={`/mail/${address.id}/smtp`} preload={false} variant="default" size="compact-sm" title={texts.smtpHint}
      >
        {texts.smtp}
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={texts.delete.label} title={texts.delete.label} onClick={() => setDeleting(true)}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
      {isDeleting && <DeleteAddress address={address} onClose={() => setDeleting(false)} />}
    </Group>
  )
}

function State({ address }: { address: Address }) {
  const now = useNow()
  if (isReceiving(address, now)) return <>{texts.timeLeft} <TimeLeft until={address.expiresAt} /></>
  return address.expiresAt.getTime() <= now ? <>{texts.expired} <RelativeTime at={address.expiresAt} /></> : <>{texts.notReceiving}</>
}
