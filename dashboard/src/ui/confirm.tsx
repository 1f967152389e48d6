import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'

interface ConfirmProps {
  title: string
  children: ReactNode
  /** The label of the button that does it. */
  confirm: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. Rendered while it is open. */
export const Confirm = ({ title, children, confirm, isBusy = false, onConfirm, onClose }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <Stack>
      <Text component="div" size="sm">{children}</Text>
      <Group justify="end">
        <Button variant="default" onClick={onClose} data-autofocus>{texts.cancel}</Button>
        <Button color="red.9" loading={isBusy} onClick={onConfirm}>{confirm}</Button>
      </Group>
    </Stack>
  </Dialog>
)
