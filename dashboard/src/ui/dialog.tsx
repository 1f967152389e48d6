import { Group, Modal } from '@mantine/core'
import type { MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { texts } from '../texts.ts'

interface DialogProps {
  title: ReactNode
  size?: MantineSize
  children: ReactNode
  onClose: () => void
}

/** A dialog, rendered while it is open. Its head is no `header`, which screen readers would take for a second one of the page. */
export function Dialog({ title, size = 'md', children, onClose }: DialogProps) {
  useFocusBack()
  return (
    <Modal.Root opened onClose={onClose} size={size} centered returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md" pb="sm">
          <Modal.Title fw={600}>{title}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </Group>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Gives the focus back to the control that opened the dialog. `returnFocus` of Mantine works only for dialogs that stay rendered. */
function useFocusBack() {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
  }, [opener])
}
