import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

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
  <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': texts.close }}>
    <Stack>
      <Text component="div" size="sm">{children}</Text>
      <Group justify="end">
        <Button variant="default" onClick={onClose} data-autofocus>{texts.cancel}</Button>
        <Button color="red" loading={isBusy} onClick={onConfirm}>{confirm}</Button>
      </Group>
    </Stack>
  </Modal>
)
