import { Group, Modal } from '@mantine/core'
import type { MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

interface DialogProps {
  title: ReactNode
  size?: MantineSize
  children: ReactNode
  onClose: () => void
}

/** A dialog, rendered while it is open. Its head is no `header`, which screen readers would take for a second one of the page. */
export const Dialog = ({ title, size = 'md', children, onClose }: DialogProps) => (
  <Modal.Root opened onClose={onClose} size={size} centered>
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
