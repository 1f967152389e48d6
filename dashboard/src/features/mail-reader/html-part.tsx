import { Button, Group, Switch, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import type { Email } from '@mayfly-mail/sdk'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet } from '../../ui/icons.tsx'
import { useState } from 'react'
import { formatBytes } from '../../ui/format-bytes.ts'
import { MailFrame } from './html/frame.tsx'
import classes from './reader.module.css'
import { readerTexts as texts } from './texts.ts'
import type { ShownHtml } from './use-shown-html.ts'

interface HtmlPartProps extends ShownHtml {
  email: Pick<Email, 'id' | 'attachments' | 'bodyHtml'>
}

/** Widths of the preview in px, with their icons. */
const widths = {
  phone: { px: 375, icon: <IconDeviceMobile size={16} aria-hidden /> },
  tablet: { px: 768, icon: <IconDeviceTablet size={16} aria-hidden /> },
  full: { px: undefined, icon: <IconDeviceDesktop size={16} aria-hidden /> },
}
type Width = keyof typeof widths

/**
 * The HTML of a mail, as wide as its reader or as a device. Images of other hosts are loaded only after the button is pressed; a wide mail
 * is scaled to fit, or scrolls.
 */
export function HtmlPart({ email, mail, isRemoteAllowed, onAllowRemote, onTooMuch }: HtmlPartProps) {
  const [isFullSize, setFullSize] = useSessionStorage({ key: 'mayfly-full-size', defaultValue: false, getInitialValueInEffect: false })
  const [width, setWidth] = useSessionStorage<Width>({ key: 'mayfly-preview-width', defaultValue: 'full', getInitialValueInEffect: false })
  const [isDark, setDark] = useSessionStorage({ key: 'mayfly-preview-dark', defaultValue: false, getInitialValueInEffect: false })
  const [isWider, setWider] = useState(false)
  if (!mail) return <Text size="sm" c="dimmed">{texts.tooLong(formatBytes(email.bodyHtml.length))}</Text>
  const px = widths[width]?.px
  return (
    <>
      <Group gap="xs" mb="xs" role="group" aria-label={texts.preview.label}>
        <Button.Group aria-label={texts.preview.widths} visibleFrom="sm">
          {Object.entries(widths).map(([name, { icon }]) => (
            <Button
              key={name} size="compact-xs" variant={name === width ? 'light' : 'default'} leftSection={icon} aria-pressed={name === width}
              onClick={() => setWidth(name as Width)}
            >
              {texts.preview[name as Width]}
            </Button>
          ))}
        </Button.Group>
        <Switch
          size="xs" label={texts.preview.dark} title={texts.preview.darkHint} checked={isDark}
          onChange={({ currentTarget }) => setDark(currentTarget.checked)}
        />
        {isWider && (
          <Switch
            size="xs" label={texts.fullSize.label} title={texts.fullSize.hint} checked={isFullSize}
            onChange={({ currentTarget }) => setFullSize(currentTarget.checked)}
          />
        )}
        {mail.blockedCount > 0 && (
          <Group gap="xs" ms="auto">
            <Text size="sm">{texts.remote.blocked(mail.blockedCount)}</Text>
            <Button size="compact-xs" variant="default" title={texts.remote.hint} onClick={onAllowRemote}>{texts.remote.load}</Button>
          </Group>
        )}
      </Group>
      <div className={classes['device']}>
        <div className={classes['screen']} style={px === undefined ? undefined : { width: px }}>
          <MailFrame
            email={email} mail={mail} isRemoteAllowed={isRemoteAllowed} isFullSize={isFullSize} isDark={isDark} onMeasure={setWider}
            onTooMuch={onTooMuch}
          />
        </div>
      </div>
    </>
  )
}
