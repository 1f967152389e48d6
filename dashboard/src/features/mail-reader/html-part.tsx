import { Alert, Button, Group, Switch, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import type { Email } from '@mayfly-mail/sdk'
import { useState } from 'react'
import { formatBytes } from '../../ui/format-bytes.ts'
import { MailFrame } from './html/frame.tsx'
import type { SanitisedMail } from './html/sanitise.ts'
import { readerTexts as texts } from './texts.ts'

interface HtmlPartProps {
  email: Email
  mail: SanitisedMail | undefined
  isRemoteAllowed: boolean
  onAllowRemote: () => void
  /** Called before the mail is painted, when that would stop the page for seconds. */
  onTooMuch: () => void
}

/** The HTML of a mail. Images of other hosts are loaded only after the button is pressed; a wide mail is scaled to fit, or scrolls. */
export function HtmlPart({ email, mail, isRemoteAllowed, onAllowRemote, onTooMuch }: HtmlPartProps) {
  const [isFullSize, setFullSize] = useSessionStorage({ key: 'mayfly-full-size', defaultValue: false, getInitialValueInEffect: false })
  const [isWider, setWider] = useState(false)
  if (!mail) return <Text size="sm" c="dimmed">{texts.tooLong(formatBytes(email.bodyHtml.length))}</Text>
  return (
    <>
      {mail.blockedCount > 0 && (
        <Alert variant="light" color="gray" p="xs" mb="sm">
          <Group justify="space-between" gap="xs">
            <Text size="sm">{texts.remote.blocked(mail.blockedCount)}</Text>
            <Button size="compact-sm" variant="default" onClick={onAllowRemote}>{texts.remote.load}</Button>
          </Group>
        </Alert>
      )}
      {isWider && (
        <Switch
          size="xs" mb="xs" label={texts.fullSize.label} title={texts.fullSize.hint} checked={isFullSize}
          onChange={({ currentTarget }) => setFullSize(currentTarget.checked)}
        />
      )}
      <MailFrame
        email={email} mail={mail} isRemoteAllowed={isRemoteAllowed} isFullSize={isFullSize} onMeasure={setWider}
        onTooMuch={onTooMuch}
      />
    </>
  )
}
