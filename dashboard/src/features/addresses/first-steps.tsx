import type { Address } from '@mayfly-mail/sdk'
import { Button, Text, Title } from '@mantine/core'
import { IconSend } from '../../ui/icons.tsx'
import { useEffect, useRef } from 'react'
import { useKeys } from '../keyboard/use-keys.ts'
import { FirstTasks } from './first-tasks.tsx'
import classes from './first-steps.module.css'
import { formTexts } from './form-texts.ts'
import { useTestMail } from './use-test-mail.ts'
import { WaysTabs } from './ways-tabs.tsx'

const texts = formTexts.firstSteps

/** In place of the mail of an address that has none: a test mail by a button or a key, and the ways to send and read others. */
export function FirstSteps({ address }: { address: Address }) {
  const { mutate, isPending } = useTestMail()
  const send = () => { if (!isPending) mutate(address) }
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => { if (document.activeElement === document.body) button.current?.focus({ preventScroll: true }) }, [])
  useKeys({ copyCode: send })
  return (
    <div className={classes['steps']}>
      <div>
        <Title order={2} mb={4}>{texts.title}</Title>
        <Text size="sm" c="dimmed" mb="md">{texts.hint}</Text>
        <Button ref={button} size="md" leftSection={<IconSend size={18} aria-hidden />} loading={isPending} onClick={send}>
          {formTexts.testMail.action}
        </Button>
      </div>
      <FirstTasks />
      <WaysTabs address={address} />
    </div>
  )
}
