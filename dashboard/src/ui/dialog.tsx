import { Group, Modal } from '@mantine/core'
import type { MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface DialogProps {
  title: ReactNode
  size?: MantineSize
  /** False for a dialog whose content is lost when it is closed by mistake. */
  closeOnClickOutside?: boolean
  children: ReactNode
  onClose: () => void
}

/**
 * A dialog, rendered while it is open; the focus returns to the element that opened it. Its head is no `header`, which screen readers would
 * take for a second one of the page. Scrolling is not locked: the page itself does not scroll, and the lock adds a style element, which the
 * Content Security Policy refuses.
 */
export function Dialog({ title, size = 'md', closeOnClickOutside = true, children, onClose }: DialogProps) {
  useReturnFocus()
  return (
    <Modal.Root
      opened onClose={onClose} size={size} centered closeOnClickOutside={closeOnClickOutside} lockScroll={false} returnFocus={false}
    >
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
